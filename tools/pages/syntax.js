// syntax.js - the parts of a line that have a colour, in the playground and on the page of `dloc browse`.

const words = text => `(?<word>\\b(?:${text.replaceAll(' ', '|')})\\b)`;
const STRING = '(?<string>"(?:[^"\\\\]|\\\\.)*"?';
const SYNTAX = {
  llvm: '(?<comment>;.*)|(?<string>c?"[^"\\n]*"?)|(?<node>!\\d+)|(?<class>![A-Za-z][\\w.]*)|(?<name>[@%][-\\w.$]+|[@%]"[^"\\n]*")|' +
    words('define declare distinct call ret br store load add alloca invoke unreachable null sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem fneg ' +
      'icmp fcmp select phi switch getelementptr bitcast trunc zext sext fptrunc fpext uitofp sitofp fptoui fptosi ptrtoint inttoptr extractvalue insertvalue extractelement insertelement shufflevector'),
  mlir: `(?<comment>//.*)|${STRING})|(?<node>#[\\w.$]+)|(?<class>![\\w.]+)|(?<name>[%@^][-\\w.$#]+)|(?<word>\\b[a-z_]\\w*\\.[\\w.]+|\\b(?:module|func|return|else|loc)\\b)`,
  c: `(?<comment>//.*|/\\*(?:[^*]|\\*(?!/))*(?:\\*/)?)|${STRING}|'(?:[^'\\\\]|\\\\.)+')|(?<class>^\\s*#\\s*\\w+)|` +
    words('if else for while do return switch case default break continue goto sizeof typedef static inline extern const struct union enum class namespace template typename using public private ' +
      'virtual new delete operator auto constexpr int char void float double long short unsigned signed bool fn let mut impl match pub use trait where func package import'),
  python: `(?<comment>#.*)|${STRING}|'(?:[^'\\\\]|\\\\.)*'?)|(?<class>@[\\w.]+)|` +
    words('def class return if elif else for while in not and or is None True False import from as with try except finally raise lambda yield pass break continue assert global'),
  fortran: `(?<comment>!.*)|(?<string>"[^"]*"?|'[^']*'?)|` +
    words('program subroutine function module use implicit none integer real logical character dimension intent allocatable do end enddo endif if then else call return contains allocate deallocate'),
  ptx: `(?<comment>//.*)|${STRING})|(?<class>@!?%\\w+)|(?<name>%\\w[\\w.]*)|(?<word>\\b[a-z]\\w*(?:\\.\\w+)+|\\b(?:ret|exit|trap)\\b)`,
  assembly: '(?<comment>#\\s.*|//.*|<[^>]*>)|(?<class>@!?U?P\\w+)|(?<name>%\\w+|\\bU?[RP](?:\\d+|Z|T)\\b)|(?<node>[$#]?-?0x[0-9a-f]+|[$#]-?\\d+)|(?<word>^\\s*[A-Za-z][\\w.]*|\\b[A-Z]\\w+(?:\\.\\w+)+|\\bEXIT\\b)',
};
for (const language of Object.keys(SYNTAX)) SYNTAX[language] = new RegExp(SYNTAX[language], 'g' + (language === 'fortran' ? 'i' : ''));

// The line in parts, each [kind, text]: of a kind that has a colour, or ''.
export function tokens(line, language) {
  const parts = [];
  let at = 0;
  for (const match of SYNTAX[language] ? line.matchAll(SYNTAX[language]) : []) {
    if (match.index > at) parts.push(['', line.slice(at, match.index)]);
    parts.push([Object.keys(match.groups).find(name => match.groups[name] !== undefined), match[0]]);
    at = match.index + match[0].length;
  }
  if (at < line.length) parts.push(['', line.slice(at)]);
  return parts;
}
