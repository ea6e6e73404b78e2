// module.js - what the page itself sees in the text of a module: colours, and the locations that one may pick.

import {tokens} from "../../tools/pages/syntax.js";

export function escape(text) {
  return String(text).replace(/[&<>"]/g, c => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[c]);
}

// The index in a line of the character at a column, which counts bytes from 1.
export function index_of(line, column) {
  return new TextDecoder().decode(new TextEncoder().encode(line.slice(0, column)).subarray(0, column - 1)).length;
}

// HTML of the text; marks: [{line, column, level, size}], each of which underlines so much, or a word.
export function colour(text, marks = []) {
  const wrong = new Map();
  for (const mark of marks)
    if (!wrong.has(mark.line) || mark.level === "error")
      wrong.set(mark.line, mark);
  return text.split("\n").map((line, i) => {
    const mark = wrong.get(i + 1);
    if (!mark)
      return colour_line(line);
    const from = index_of(line, mark.column);
    const size = mark.size ? index_of(line, mark.column + mark.size) - from : /^(?:\S[\w.]*|$)/.exec(line.slice(from))?.[0].length || 1;
    return `${colour_line(line.slice(0, from))}<span class="wrong ${mark.level}">${escape(line.slice(from, from + size)) || " "}</span>${colour_line(line.slice(from + size))}`;
  }).join("\n");
}

function colour_line(line) {
  return tokens(line, "llvm").map(([kind, text]) => kind ? `<span class="t-${kind}">${escape(text)}</span>` : escape(text)).join("");
}

// The locations of instructions: {node: "!41", function, text, line}, in order; then nodes that are locations and that no instruction has.
export function locations(text) {
  const found = [], seen = new Set();
  let name = "";
  const lines = text.split("\n");
  lines.forEach((line, i) => {
    name = /^define\b.*?@("[^"]*"|[-\w.$]+)\s*\(/.exec(line)?.[1] ?? (line.startsWith("}") ? "" : name);
    const node = name && !line.startsWith("define") ? /,\s*!dbg\s+(!\d+)/.exec(line)?.[1] : null;
    if (!node)
      return;
    seen.add(node);
    found.push({node, function: name, text: line.trim().replace(/,\s*!dbg.*$/, ""), line: i + 1});
  });
  lines.forEach((line, i) => {
    const [, node, what] = /^(!\d+)\s*=\s*(?:distinct\s+)?(!DILocation\(.*|!\{!\d+, *!(?:\{|\d).*)/.exec(line) ?? [];
    if (node && !seen.has(node))
      found.push({node, function: "", text: what, line: i + 1});
  });
  return found;
}

export function is_irlayers(text) {
  return /!DILayerLoc(List)?\(/.test(text);
}
