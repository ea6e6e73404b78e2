"""The page of `dloc browse`, as a reader uses it; what belongs together is worked out here once more from its JSON."""

import json
import os
import re
import subprocess
import sys
from urllib.parse import quote

import axe

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "linkers"))
import layered  # noqa: E402


def make_program(folder):
    """The linkers' program, its source, and samples: its path, and the options for it."""
    os.makedirs(folder, exist_ok=True)
    expected = layered.write(folder)
    for half in "ab":
        subprocess.run(["as", f"{folder}/{half}.s", "-o", f"{folder}/{half}.o"], check=True)
    program = os.path.join(folder, "program")
    subprocess.run(["ld", f"{folder}/a.o", f"{folder}/b.o", "-o", program], check=True)
    with open(os.path.join(folder, layered.SOURCE), "w", encoding="utf-8") as file:
        file.writelines(f"line {number} of the source\n" for number in range(1, 400))
    symbols = subprocess.run(["nm", program], stdout=subprocess.PIPE, text=True, check=True).stdout
    addresses = {fields[2]: int(fields[0], 16) for fields in map(str.split, symbols.splitlines()) if len(fields) == 3}
    subprocess.run(["objcopy", "--wildcard", "--strip-symbol=*_[0-9]", program], check=True)  # labels within functions
    code = [instruction for instruction in expected["code"] if instruction["function"] in ("_start", "plain", "both", "second")]
    with open(os.path.join(folder, "samples"), "w", encoding="utf-8") as file:
        file.write("# Simulated: a number for each instruction.\n")
        file.writelines(f"{addresses[each['label']]:x} {number * 37 % 101}\n" for number, each in enumerate(code))
    return program, ["--samples", os.path.join(folder, "samples"), "--source-dir", folder]


def make_inlining(folder):
    """A program whose calls are inlined."""
    with open(os.path.join(folder, "inlining.c"), "w", encoding="utf-8") as file:
        file.write("static inline int square(int x) {\n  return x * x;\n}\nstatic inline int twice(int x) {\n  return square(x) +\n"
                   "         square(x + 1);\n}\nint entry(int x) {\n  return twice(x) +\n         square(x + 7);\n}\n")
    program = os.path.join(folder, "inlining.so")
    subprocess.run(["cc", "-g", "-O2", "-fno-builtin", "-shared", "-fPIC", "-nostdlib", os.path.join(folder, "inlining.c"), "-o", program], check=True)
    return program, ["--function", "entry"]


def make_many(folder):
    """A program with three layers, as of three stages of a lowering, and samples."""
    dloc = os.environ.get("DLOC", os.path.join(ROOT, "build", "dloc"))
    clang, llc = (os.path.join("/usr/lib/llvm-22/bin", tool) for tool in ("clang", "llc"))
    source, module, plain, table, item, program = (os.path.join(folder, "many" + end) for end in (".c", ".ll", ".plain.ll", ".table", ".o", ".so"))
    with open(source, "w", encoding="utf-8") as file:
        file.write("".join(f"double f{i}(double *a, int n) {{\n  double sum = {i};\n  for (int i = 0; i < n; i++)\n    sum += a[i] * a[i];\n  return sum;\n}}\n" for i in range(3)))
    commands = [[clang, "-O1", "-g", "-S", "-emit-llvm", source, "-o", module]]
    commands += [[dloc, "annotate", "--layer", kind, "--file", kind + ".ll", "--embed", *["--functions"] * (kind != "llvm"), module, "-o", module] for kind in ("linalg", "scf", "llvm")]
    commands += [[dloc, "hide", "--table", table, module, "-o", plain], [llc, "-filetype=obj", "-relocation-model=pic", plain, "-o", item],
                 [dloc, "reveal", "--fast", "--table", table, item, "-o", item], ["ld", "-shared", item, "-o", program]]
    for command in commands:
        subprocess.run(command, check=True)
    symbols = subprocess.run(["nm", program], stdout=subprocess.PIPE, text=True, check=True).stdout
    first = min(int(line.split()[0], 16) for line in symbols.splitlines() if line.split()[-1].startswith("f"))
    with open(os.path.join(folder, "many.samples"), "w", encoding="utf-8") as file:
        file.writelines(f"{first + number:x} {number * 37 % 101}\n" for number in range(60))
    return program, ["--samples", os.path.join(folder, "many.samples"), "--llvm", os.path.dirname(llc)]


def make_evil(folder, evil):
    """A program whose every name wants to be markup, as does a line of its source."""
    name = evil.replace("/", "|").replace('"', "'").replace("\\", "|")
    assembly = os.path.join(folder, "evil.s")
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(f"{evil}</script>\n" * 3)
    with open(assembly, "w", encoding="utf-8") as file:
        file.write(f'.file 1 "{name}"\n.globl _start\n.type "{name}",@function\n_start:\n"{name}":\n.loc 1 2 3\nnop\nret\n.size "{name}", .-_start\n')
    program = os.path.join(folder, name + ".out")
    subprocess.run(["as", assembly, "-o", assembly + ".o"], check=True)
    subprocess.run(["ld", assembly + ".o", "-o", program], check=True)
    samples = os.path.join(folder, "evil.samples")
    with open(samples, "w", encoding="utf-8") as file:
        file.write(f"# {evil}\n401000 3\n")
    return program, ["--samples", samples, "--source-dir", folder]


def make_recursive(folder):
    """PTX of calls that come back to lines, and to regions, that they came from."""
    program, samples = os.path.join(folder, "recursive.ptx"), os.path.join(folder, "recursive.csv")
    with open(os.path.join(folder, "recursive.py"), "w", encoding="utf-8") as file:
        file.write("def k():\n    for i in a:\n        f(i)\n        g(i)\ndef f(i):\n    if i:\n        g(i)\n    h()\ndef g(i):\n    while i:\n        f(i)\n    h()\n")
    calls = [(3, 0), (7, 3), (11, 7), (8, 11), (4, 0), (11, 4), (7, 11), (11, 7), (12, 7), (8, 11), (6, 11), (1, 0)]  # a line, and that of the last call before it
    with open(program, "w", encoding="utf-8") as file:
        file.write('.version 8.4\n.target sm_80\n.visible .entry k()\n{\n.file 1 "recursive.py"\n')
        file.writelines(f".loc 1 {line} 1" + (f", function_name $f, inlined_at 1 {caller} 1" if caller else "") + f"\nadd.s32 %r1, %r1, {line};\n" for line, caller in calls)
        file.write("}\n")
    with open(samples, "w", encoding="utf-8") as file:
        file.writelines(f"{2 * number + 7},{3 * number + 1}\n" for number in range(len(calls)))
    return program, ["--samples", samples, "--source-dir", folder]


def make_large(folder, lines=50_000):
    """PTX of as many instructions, each with a line of its own in a source of nested loops."""
    program, samples = os.path.join(folder, "large.ptx"), os.path.join(folder, "large.csv")
    with open(os.path.join(folder, "large.py"), "w", encoding="utf-8") as file:
        file.writelines(f"{'    ' * (number % 60)}for i{number} in range({number}):\n" for number in range(lines))
    with open(program, "w", encoding="utf-8") as file:
        file.write('.version 8.4\n.target sm_80\n.visible .entry large()\n{\n.file 1 "large.py"\n')
        file.writelines(f".loc 1 {number} 0\nadd.s32 %r1, %r1, {number};\n" for number in range(1, lines + 1))
        file.write("}\n")
    with open(samples, "w", encoding="utf-8") as file:
        file.writelines(f"{2 * number + 5},{number % 7}\n" for number in range(1, lines + 1))
    return program, ["--samples", samples, "--source-dir", folder, "--most", str(lines)]


# ---- What belongs together


class Data:
    """Rows are named as they are shown: of a text (pane, file, line), of code (pane, address)."""

    def __init__(self, text):
        self.json = json.loads(text)
        self.code = len(self.json["panes"])
        self.prefix = "" if self.json["language"] == "ptx" else "0x"  # of an address; PTX has lines
        self.names = [pane["name"] for pane in self.json["panes"]] + ["code"]
        self.links = {}  # row -> instruction -> own or via
        self.samples = {}
        for function in self.json["functions"]:
            for address, _, samples, stack, layers in function["code"]:
                frames = [place for _, place in self.frames(stack)]
                self.samples[address] = samples
                self.link((self.code, address), address, "own")
                for depth, place in enumerate(frames):
                    if place is not None:
                        self.link(self.row(place), address, "via" if depth else "own")
                for place in layers:
                    self.link(self.row(place), address, "own")
                own = {self.row(place)[0] for place in [*frames[:1], *layers] if place is not None}
                for pane in set(range(self.code)) - own:
                    self.link((pane, None, "none"), address, "own")

    def frames(self, stack):
        """The name and place of each frame, innermost first."""
        while stack is not None:
            name, place, stack = self.json["stacks"][stack]
            yield name, place

    def row(self, place):
        pane, file, line, _ = self.json["places"][place]
        return pane, file, line

    def link(self, row, address, kind):
        links = self.links.setdefault(row, {})
        links[address] = "own" if "own" in (links.get(address), kind) else kind

    def marks(self, row, pane):
        """Of another pane: row -> own or via."""
        found = {}
        for address, kind in self.links[row].items():
            for other, links in self.links.items():
                if other[0] == pane and address in links:
                    both = "own" if kind == links[address] == "own" else "via"
                    found[other] = "own" if "own" in (found.get(other), both) else both
        return found

    def heat(self, row):
        return sum(self.samples[address] for address, kind in self.links.get(row, {}).items() if kind == "own")

    def name(self, row):
        """As in a fragment."""
        parts = ["none"] if row[2:] == ("none",) else [row[1]] if row[0] == self.code else [self.json["panes"][row[0]]["files"][row[1]]["path"], row[2]]
        return "#" + ":".join(quote(str(part), safe="!'()*~") for part in [self.names[row[0]], *parts])

    def rows(self, pane):
        """Those that are lines."""
        return [row for row in self.links if row[0] == pane and row[-1] != "none"]

    def whole(self, row, last):
        """The samples of the lines from a row to the last, also of what was inlined there; each counts once."""
        pane, file, first = row
        return sum(self.samples[address] for address in {address for each, links in self.links.items() if each[:2] == (pane, file) and first <= each[2] <= last for address in links})


# ---- A reader's hands and eyes


SETTLE = "new Promise(done=>requestAnimationFrame(()=>requestAnimationFrame(done)))"
WALK = """(async()=>{const list=document.querySelector('#pane-PANE .rows'),found=new Map(),before=list.scrollTop;
for(let top=0;;top+=list.clientHeight){list.scrollTop=top;list.dispatchEvent(new Event('scroll'));
for(const row of list.querySelectorAll('.row'))found.set(+row.dataset.row,[row.className,row.children[1].title,row.children[2].title,...[...row.children].map(c=>c.textContent)]);
if(top>=list.scrollHeight)break}
list.scrollTop=before;await """ + SETTLE + """;return [...found].sort((a,b)=>a[0]-b[0])})()"""


class Reader:
    def __init__(self, page, data):
        self.page, self.data = page, data

    def walk(self, pane):
        """All rows of a pane: (row, number of the row, classes, heat: (samples, share), sign, text); row is None for one that is no line."""
        file, rows = -1, []
        for number, (classes, count, _, label, heat, _, sign, text) in self.page.evaluate(WALK.replace("PANE", str(pane))):
            classes = classes.split()
            file += "title" in classes
            row = ((pane, self.data.prefix + label) if pane == self.data.code else (pane, file, int(label))) if "line" in classes else (pane, None, "none") if "none" in classes else None
            rows.append((row, number, classes, (int(count.split()[0].replace(",", "")) if count else 0, heat), sign, text))
        return rows

    def number(self, row):
        return next(number for each, number, *_ in self.walk(row[0]) if each == row)

    def go(self, row):
        """By the fragment, as a link does."""
        self.page.evaluate("new Promise(done=>{location.hash='';addEventListener('hashchange',()=>setTimeout(done,0),{once:true});"
                           f"location.hash={json.dumps(self.data.name(row))}}})")

    def click(self, row):
        place, number = next((place, number) for place, (each, number, *_) in enumerate(self.walk(row[0])) if each == row)
        self.page.evaluate(f"document.querySelector('#pane-{row[0]} .rows').scrollTop={place}*document.querySelector('#pane-{row[0]} .row').offsetHeight-40;{SETTLE}")
        self.page.click(f"#row-{row[0]}-{number} .text")

    def point(self, row):
        x, y = self.page.evaluate(f"(()=>{{const r=document.querySelector('#row-{row[0]}-{self.number(row)}').getBoundingClientRect();"
                                  "return [r.x+60,r.y+r.height/2]})()")
        self.page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def choose(self, **wanted):
        """Switches of the menu; what they were before."""
        before = {name: self.page.evaluate(f"document.getElementsByName({json.dumps(name)})[0]?.checked") for name in wanted}
        for name, on in wanted.items():
            if before[name] not in (None, on):
                self.page.evaluate(f"document.getElementsByName({json.dumps(name)})[0].click()")
        return {name: on for name, on in before.items() if on is not None}

    def reload(self):
        self.page.evaluate("window.old=1;setTimeout(()=>location.reload(),0);1")
        self.page.wait("typeof old==='undefined'&&document.querySelectorAll('.pane').length>0")

    def press(self, key, text=None):
        extra = {"text": text} if text else {}
        self.page.call("Input.dispatchKeyEvent", type="keyDown", key=key, **extra)
        self.page.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def marks(self, pane):
        kinds = {"▸": "own", "↳": "via"}
        return {row: kinds[sign] for row, _, classes, _, sign, _ in self.walk(pane) if sign and kinds[sign] in classes}

    def here(self):
        """The rows that are chosen."""
        return [row for pane in range(len(self.data.names)) for row, _, classes, *_ in self.walk(pane) if "here" in classes]

    def is_marked_seen(self, pane):
        return self.page.evaluate(f"(()=>{{const l=document.querySelector('#pane-{pane} .rows').getBoundingClientRect();"
                                  f"return [...document.querySelectorAll('#pane-{pane} .own, #pane-{pane} .via')].some(e=>{{const r=e.getBoundingClientRect();"
                                  "return r.top>=l.top-1&&r.bottom<=l.bottom+1})})()")


def same(actual, expected):
    assert actual == expected, f"there is {str(actual)[:400]!r}, expected {str(expected)[:400]!r}"


def is_share(shown, samples, total):
    """Whether a share is what is shown of samples, as rounded."""
    if not samples:
        return shown == ""
    return shown == "<0.1%" if 100 * samples / total < 0.05 else abs(float(shown.removesuffix("%")) - 100 * samples / total) <= 0.050001


# ---- Checks


def check_rows(reader):
    """Every line of the JSON stands there once, with its share of the samples."""
    data, before = reader.data, reader.choose(metadata=True, blanks=True)
    for pane, described in enumerate(data.json["panes"]):
        walked = [each for each in reader.walk(pane) if each[0] and each[0][-1] != "none"]
        shown = {row: (heat[0], text) for row, _, _, heat, _, text in walked}
        wanted = {}
        for file, each in enumerate(described["files"]):
            for first, lines in each["lines"]:
                for line, text in enumerate(lines, first):
                    wanted[pane, file, line] = data.heat((pane, file, line)), text
        same(shown, wanted)
        left_out = [int(text.split()[0].replace(",", "")) for row, _, classes, *_, text in reader.walk(pane) if "gap" in classes]
        same(sum(left_out), sum(max(0, each["count"] - sum(len(lines) for _, lines in each["lines"])) for each in described["files"] if "problem" not in each))
        assert all(is_share(shown, samples, data.json["samples"]) for _, _, _, (samples, shown), _, _ in walked), walked
    shown = [text for row, *_, text in reader.walk(data.code) if row]
    same(shown, [text for function in data.json["functions"] for _, text, *_ in function["code"]])
    reader.choose(**before)


def check_none(reader):
    """A pane says how many samples have a line there; those without have a row, which belongs together with other rows as lines do."""
    page, data = reader.page, reader.data
    rows = [row for row in data.links if row[-1] == "none"]
    assert rows, "all instructions have a line in all panes"
    for pane in range(data.code):
        row = (pane, None, "none")
        walked = reader.walk(pane)
        same([each[3][0] for each in walked if each[0] == row], [data.heat(row)] if row in rows else [])
        told, total = page.evaluate(f"document.querySelector('#pane-{pane} .columns').title"), data.json["samples"]
        assert told.endswith("% of the samples have a line") and is_share(told.split(" ")[0], total - data.heat(row), total), told
        page.evaluate(f"(e=>{{e.value={pane};e.dispatchEvent(new Event('change'))}})(document.getElementById('of-lines'))")
        same(page.evaluate("[...document.querySelectorAll('#lines .entry')].filter(e=>e.textContent.endsWith('no line here')).map(e=>parseInt(e.querySelector('.heat').title.replace(',','')))"),
             [data.heat(row)] if data.heat(row) else [])
    page.evaluate("(e=>{e.value=0;e.dispatchEvent(new Event('change'))})(document.getElementById('of-lines'))")
    for row in rows:
        reader.click(row)
        same(reader.here(), [row])
        check_related(reader, row)
        same(page.evaluate("location.hash"), data.name(row))


def check_whole(reader):
    """A line that opens a region, or at which something was inlined, has what all of it cost."""
    data, met = reader.data, 0
    for pane, described in enumerate(data.json["panes"]):
        regions = {(pane, number, first): last for number, file in enumerate(described["files"]) for first, last in file.get("regions", [])}
        titles = reader.page.evaluate(WALK.replace("PANE", str(pane)))
        for (row, *_), (_, (_, _, title, *_)) in zip(reader.walk(pane), titles):
            if row and row[-1] != "none":
                whole = data.whole(row, regions.get(row, row[2]))
                met += whole > data.heat(row)
                same((row, title.partition(" sample")[0].replace(",", "")), (row, str(whole) if whole > data.heat(row) else ""))
    assert met, "no line costs more than its own"


def check_metadata(reader):
    """The metadata of LLVM IR is not shown, unless it is wanted; the numbers of lines are those of the text."""
    page = reader.page
    reader.choose(metadata=False, blanks=True)
    short = {row: text for pane in range(1, reader.data.code) for row, *_, text in reader.walk(pane) if row}
    reader.choose(metadata=True)
    full = {row: text for pane in range(1, reader.data.code) for row, *_, text in reader.walk(pane) if row}
    gone = [text for row, text in full.items() if row not in short]
    assert any("#dbg_value" in text for text in gone) and any(text.startswith("!0 = ") for text in gone), gone
    same([text for text in gone if text.strip() and not text.strip().startswith(("#dbg_", "!"))], [])
    same([text for text in short.values() if "!dbg" in text or "!tbaa" in text], [])
    changed = [(full[row], text) for row, text in short.items() if row[-1] != "none" and text != full[row]]
    assert any(line.startswith("define") for line, _ in changed) and any("!tbaa" in line for line, _ in changed), changed
    same([text for _, text in changed], [re.sub(r",? ![a-z]\w*(\.\w+)* !\d+", "", line) for line, _ in changed])
    reader.choose(metadata=False)
    page.evaluate("document.getElementById('find').value='!dbg'")
    reader.press("/")
    reader.press("Enter")
    assert "is nowhere" in page.evaluate("document.getElementById('status').textContent")
    page.evaluate("document.getElementById('find').value=''")


def check_blanks(reader):
    """Lines are as deep as before, each depth by a column."""
    before = reader.choose(metadata=True, blanks=True)
    full = {row: text for pane in range(reader.data.code) for row, *_, text in reader.walk(pane) if row}
    reader.choose(blanks=False)
    short = {row: text for pane in range(reader.data.code) for row, *_, text in reader.walk(pane) if row}
    blanks = lambda text: len(text.expandtabs(4)) - len(text.lstrip())  # noqa: E731
    same({row: text.strip() for row, text in short.items()}, {row: text.strip() for row, text in full.items()})
    assert any(blanks(full[row]) > blanks(text) == 1 for row, text in short.items())
    assert all(blanks(full[row]) >= blanks(text) for row, text in short.items())
    rows = [row for row in full if row[-1] != "none" and full[row].strip()]
    for above, row in zip(rows, rows[1:]):
        assert above[:2] != row[:2] or (blanks(full[above]) < blanks(full[row])) == (blanks(short[above]) < blanks(short[row])), (full[above], full[row])
    reader.choose(**before)


def check_panes(reader):
    """Panes are made wider by keys and by the pointer, go away and come back, and are as they were when the page is opened again."""
    page, names = reader.page, reader.data.names
    width = lambda pane: page.evaluate(f"document.getElementById('pane-{pane}').getBoundingClientRect().width")  # noqa: E731
    first = "document.querySelector('[role=separator]')"
    seen = lambda: page.evaluate("[...document.querySelectorAll('.pane')].flatMap((e,i)=>e.checkVisibility()?[i]:[])")  # noqa: E731
    shown = f"[{first}.getAttribute('aria-valuenow'),{first}.getAttribute('aria-controls'),{first}.getAttribute('aria-label')]"
    same(page.evaluate(shown), ["50", "pane-0", f"Between {names[0]} and {names[1]}"])
    page.evaluate(f"{first}.focus()")
    both = width(0) + width(1)
    for key, share in (("ArrowRight", 55), ("ArrowRight", 60), ("ArrowLeft", 55), ("End", 90), ("Home", 10)):
        reader.press(key)
        same(page.evaluate(f"+{first}.getAttribute('aria-valuenow')"), share)
        assert abs(width(0) / both - share / 100) < 0.02, (key, width(0), both)
    reader.press("Enter")
    same(page.evaluate(f"+{first}.getAttribute('aria-valuenow')"), 50)
    assert abs(width(0) - width(1)) < 1
    x, y = page.evaluate(f"(r=>[r.x+r.width/2,r.y+r.height/2])({first}.getBoundingClientRect())")
    for kind, to in (("mousePressed", x), ("mouseMoved", x + 40), ("mouseMoved", x + both / 4), ("mouseReleased", x + both / 4), ("mouseMoved", x)):
        page.call("Input.dispatchMouseEvent", type=kind, x=to, y=y, button="left", buttons=int(kind != "mouseReleased" and to != x or kind == "mousePressed"), clickCount=1)
    assert abs(width(0) / both - 0.75) < 0.02, (width(0), both)
    same(page.evaluate("(e=>e.scrollWidth-e.clientWidth<=0)(document.querySelector('.panes'))"), True)
    reader.press("v")
    axe.check_axe(page)
    page.click(f"[name={json.dumps(names[1])}]")
    same(seen(), [pane for pane in range(len(names)) if pane != 1])
    reader.press("Escape")
    same(page.evaluate("[document.querySelector('.view').open,document.activeElement.tagName]"), [False, "SUMMARY"])
    wide = width(0)
    reader.reload()
    same(seen(), [pane for pane in range(len(names)) if pane != 1])
    assert abs(width(0) - wide) < 1, (width(0), wide)
    page.evaluate("document.querySelector('#pane-0 .rows').focus()")
    reader.press("ArrowRight")
    same(page.evaluate("document.activeElement.parentElement.id"), "pane-2")
    reader.go(reader.data.rows(1)[0])  # a link into it brings it back
    same(seen(), list(range(len(names))))
    reader.choose(**{name: False for name in names})
    same(seen(), [len(names) - 1])
    reader.choose(**{name: True for name in names})
    same(seen(), list(range(len(names))))
    page.evaluate("localStorage.setItem(Object.keys(localStorage).find(k=>k.startsWith('dloc browse')),'[1,\"]')")
    reader.reload()
    same((seen(), page.evaluate(f"+{first}.getAttribute('aria-valuenow')")), (list(range(len(names))), 50))
    page.evaluate("localStorage.clear()")


def check_large(reader, lines=50_000):
    """A hundred thousand lines are there, and few elements; going anywhere makes no more."""
    page = reader.page
    same(page.evaluate("[...document.querySelectorAll('.pane .rows')].map(e=>+e.querySelector('.row').getAttribute('aria-setsize'))"), [lines + 1, lines + 1])
    for key in ("h", "End", "PageUp", "Home"):
        reader.press(key)
        elements = page.evaluate("document.querySelectorAll('*').length")
        assert elements < 3000, (key, elements)
    same(page.evaluate("document.querySelector('#row-0-1 .whole').textContent"), "100.0%")


def check_syntax(reader, **wanted):
    """Parts of lines have the colours of the playground."""
    for kind, text in wanted.items():
        found = reader.page.evaluate(f"[...document.querySelectorAll('.text .t-{kind}')].map(e=>e.textContent)")
        assert any(part.startswith(text) for part in found), (kind, text, found[:20])


def check_bars(reader):
    """Bars compare with the hottest line, and stay in their place."""
    for pane in range(len(reader.data.names)):
        rows = reader.data.rows(pane)
        hottest = max(rows, key=reader.data.heat)
        reader.go(hottest)
        bars = reader.page.evaluate(f"[...document.querySelectorAll('#pane-{pane} .line')].map(e=>[e.querySelector('.heat').title,e.querySelector('.heat').clientWidth,"
                                    "e.querySelector('.bar')?.getBoundingClientRect().width||0])")
        for title, room, width in bars:
            samples = int(title.split()[0].replace(",", "")) if title else 0
            assert abs(width - room * samples / reader.data.heat(hottest)) < 1, (title, room, width)
        wide = reader.page.evaluate("[...document.querySelectorAll('.title .bar')].filter(e=>e.getBoundingClientRect().width>0).length")
        same(wide, 0)


def check_related(reader, row):
    """The other panes mark what belongs to the row, and show some of it."""
    for pane in range(len(reader.data.names)):
        if pane != row[0]:
            wanted = reader.data.marks(row, pane)
            assert not wanted or reader.is_marked_seen(pane), f"{row}: no marked line of pane {pane} is in sight"
            same((row, pane, reader.marks(pane)), (row, pane, wanted))


def check_clicks(reader):
    for pane in range(len(reader.data.names)):
        rows = sorted(reader.data.rows(pane), key=lambda row: -len(reader.data.links[row]))
        for row in [rows[0], rows[len(rows) // 2], rows[-1]]:
            reader.click(row)
            same(reader.here(), [row])
            check_related(reader, row)
            same(reader.page.evaluate("location.hash"), reader.data.name(row))


def check_fragment(reader):
    for pane in range(len(reader.data.names)):
        row = reader.data.rows(pane)[-1]
        reader.go(row)
        same(reader.here(), [row])
        check_related(reader, row)
    for nonsense in ("#%", "#code", "#code:0x1", "#source:no such file:3", "#source:%E0%A4%A:1"):
        reader.page.evaluate(f"location.hash={json.dumps(nonsense)};new Promise(done=>setTimeout(done,0))")
    same(reader.here(), [row])


def check_pointer(reader):
    """Pointing marks at once, and moves the other panes when the pointer rests; not while a line is kept."""
    first, second = reader.data.rows(0)[:2]
    reader.click(first)
    reader.point(second)
    check_related(reader, first)
    reader.press("Escape")
    reader.point(first)
    reader.point(second)
    reader.page.evaluate("new Promise(done=>setTimeout(done,400))")
    check_related(reader, second)


def check_keys(reader):
    """Everything by keys alone."""
    page, data = reader.page, reader.data
    reader.go(data.rows(0)[0])
    hot = sorted((row for row in data.rows(0) if data.heat(row)), key=lambda row: (-data.heat(row), row[1:]))
    for key, wanted in (("h", hot[0]), ("n", hot[1]), ("n", hot[2]), ("p", hot[1])):
        reader.press(key)
        same((key, reader.here()), (key, [wanted]))
        check_related(reader, wanted)
    focused = "document.activeElement.parentElement.id"
    for key, pane in [("ArrowRight", number) for number in range(1, data.code + 1)] + [("ArrowLeft", data.code - 1)]:
        reader.press(key)
        same(page.evaluate(focused), f"pane-{pane}")
    reader.press("Home")
    active = "document.activeElement.getAttribute('aria-activedescendant')"
    same(page.evaluate(active), f"row-{data.code - 1}-0")
    reader.press("ArrowDown")
    reader.press("ArrowDown")
    same(page.evaluate(active), f"row-{data.code - 1}-2")
    reader.press("End")
    same(page.evaluate(f"!!document.getElementById({active})"), True)
    reader.go(hot[0])
    for _ in range(data.code):
        reader.press("ArrowRight")
    reader.press("Home")
    reader.go(hot[0])
    for _ in range(data.code):
        reader.press("ArrowRight")
    reader.press("m")
    assert page.evaluate(f"document.getElementById({active}).matches('.own, .via')"), "m leads to no marked line"
    reader.press("?")
    same(page.evaluate("document.querySelector('dialog').open"), True)
    page.screenshot(os.path.join(reader.folder, "browse-help.png"))
    page.evaluate("document.querySelector('dialog').close()")
    reader.press("/")
    same(page.evaluate("document.activeElement.id"), "find")
    page.call("Input.insertText", text=data.rows(data.code)[3][1])
    reader.press("Enter")
    same(reader.here(), [data.rows(data.code)[3]])


def check_boxes(reader):
    """The hottest functions and lines lead to their place; so does what is told of a line."""
    page, data = reader.page, reader.data
    page.click("#lines .entry")
    hottest = max(data.rows(0), key=lambda row: (data.heat(row), [-part for part in row]))
    same(reader.here(), [hottest])
    told = page.evaluate("[...document.querySelectorAll('#here h3')].map(h=>[h.textContent.split(':')[0],h.nextElementSibling.querySelector('.heat')?.title])")
    for pane in range(1, len(data.names)):
        marks = data.marks(hottest, pane)
        shared = max((sum(data.samples[each] for each in data.links[hottest] if each in data.links[row]) for row in marks), default=0)
        assert not marks or [data.names[pane], f"{shared} samples"] in told, (data.names[pane], shared, told)
    counts = {}
    for function in data.json["functions"]:
        for _, _, samples, stack, _ in function["code"]:
            counts.setdefault(next((name for name, _ in data.frames(stack)), "") or function["name"], []).append(samples)
    wanted = sorted(map(sum, counts.values()), reverse=True)
    shown = page.evaluate("[...document.querySelectorAll('#functions .heat')].map(e=>e.textContent)")
    assert len(shown) == len(wanted) and all(map(is_share, shown, wanted, [data.json["samples"]] * len(wanted))), (shown, wanted)
    page.click("#functions .entry")
    address = reader.here()[0]
    same((len(reader.here()), address[0]), (1, data.code))
    same(data.samples[address[1]], max(max(counts.values(), key=sum)))
    told = page.evaluate("document.querySelector('#here').innerText")
    assert "Inline stack of " + address[1] in told, told
    frames = [frame for function in data.json["functions"] for each, _, _, stack, _ in function["code"] if each == address[1] for frame in data.frames(stack)]
    assert all(name in told for name, _ in frames), told
    page.click("#here .entry")
    same(reader.here(), [data.row(frames[0][1])])


def check_inlining(reader):
    """A call that was inlined is marked as what it is, in both directions."""
    data = reader.data
    calls = [row for row in data.rows(0) if set(data.links[row].values()) == {"via"}]
    mixed = [row for row in data.rows(data.code) if {"own", "via"} <= set(data.marks(row, 0).values())]
    assert calls or mixed, "nothing is inlined"
    for row in [*calls[:2], *mixed[:2]]:
        reader.click(row)
        check_related(reader, row)


def check_phone(reader, width=420):
    """One pane or box at a time, of the width of the screen; its buttons lead to the others."""
    page = reader.page
    page.resize(width, 800)
    page.evaluate(SETTLE)
    reader.go(reader.data.rows(0)[0])
    buttons = page.evaluate("document.querySelectorAll('.tabs button').length")
    same(buttons, len(reader.data.names) + page.evaluate("document.querySelectorAll('.box').length"))
    for number in range(buttons):
        page.click(f".tabs button:nth-child({number + 1})")
        same(page.evaluate("[...document.querySelectorAll('.pane, .box')].map((e,i)=>e.checkVisibility()?i:-1).filter(i=>i>=0)"), [number])
        same(page.evaluate("document.documentElement.scrollWidth-innerWidth<=0&&document.documentElement.scrollHeight-innerHeight<=0"), True)
        if 0 < number < len(reader.data.names):
            assert not reader.data.marks(reader.data.rows(0)[0], number) or reader.is_marked_seen(number)
        page.screenshot(os.path.join(reader.folder, f"browse-phone-{number}.png"))
    page.click(".view summary")
    menu = page.evaluate("(r=>[r.left,innerWidth-r.right])(document.querySelector('.view>div').getBoundingClientRect())")
    assert min(menu) >= 0, menu
    axe.check_axe(page)
    page.click(".view summary")
    page.click(".tabs button:nth-child(1)")
    row = reader.data.rows(0)[1]
    reader.click(row)
    same(reader.here(), [row])
    page.resize(1400, 900)


def check_many(reader, width=1400):
    """Five panes stand side by side: none is beyond the page, and each shows text of some length."""
    page = reader.page
    page.resize(width, 900)
    page.evaluate(SETTLE)
    same(page.evaluate("document.querySelectorAll('.pane').length"), 5)
    same(page.evaluate("(e=>e.scrollWidth-e.clientWidth<=0)(document.querySelector('.panes'))"), True)
    sizes = page.evaluate("[...document.querySelectorAll('.pane')].map(p=>{const l=p.querySelector('.rows').getBoundingClientRect(),t=p.querySelector('.row .text');"
                          "const c=document.createElement('canvas').getContext('2d');c.font=getComputedStyle(t).font;"
                          "return Math.floor((l.right-t.getBoundingClientRect().left)/c.measureText('m').width)})")
    assert min(sizes) >= 25, sizes


def check_cold(reader):
    """Without samples: no heat, nothing hottest."""
    page = reader.page
    same(page.evaluate("[...document.querySelectorAll('.heat,[data-key=h],#lines')].filter(e=>e.checkVisibility()).length"), 0)
    assert page.evaluate("document.querySelectorAll('#functions .entry').length"), "there are no functions"
    told = page.evaluate("document.querySelector('#pane-0 .columns').title")
    without, all_of_them = len(reader.data.links.get((0, None, "none"), {})), len(reader.data.samples)
    same(told, f"{100 * (all_of_them - without) / all_of_them:.1f}% of the instructions have a line")
    same(len(reader.here()), 1)


def check_evil(reader, evil):
    same([text for row, *_, text in reader.walk(0) if row], [evil + "</script>"] * 3)
    assert evil.replace("/", "|").replace('"', "'") in reader.page.evaluate("document.querySelector('h1').textContent")
    same(reader.page.evaluate("document.querySelector('.notes li').textContent"), evil)


def check_names(page):
    """What a reader by ear is told of: each list, row and button has a name, and lists say which row they are at."""
    same(page.evaluate("[...document.querySelectorAll('button,select,input,[role=listbox],[role=toolbar],[role=group],section')].filter(e=>"
                       "!(e.getAttribute('aria-label')||e.getAttribute('aria-labelledby')||e.textContent.trim()||e.labels?.length)).length"), 0)
    same(page.evaluate("[...document.querySelectorAll('[role=listbox]')].filter(e=>!document.getElementById(e.getAttribute('aria-activedescendant'))).length"), 0)
    same(page.evaluate("[...document.querySelectorAll('button')].filter(e=>e.checkVisibility()&&e.getBoundingClientRect().height<24).length"), 0)
