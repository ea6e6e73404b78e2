#!/usr/bin/env python3
"""usage: tests/browser/run.py

Looks at the HTML pages in headless Chromium, made from real runs: the model under two profiles, stock LLVM, and the fake that lies.
What the pages show must be what the runs' JSON lines say; links and details open what they name; nothing complains, and nothing is asked
of the network. Screenshots are left in $BUILD/browser. DLOC and BUILD are as for tests/run.
"""

import collections
import json
import os
import shutil
import subprocess
import sys
import traceback

import axe
import browse
import chromium

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, os.environ.get("BUILD", "build"))
DLOC = os.environ.get("DLOC", os.path.join(BUILD, "dloc"))
FOLDER = os.path.join(BUILD, "browser")
LIAR = "python3 conformance/fakes/liar.py"
SIGNS = {"✓": "as-expected", "✗": "different", "~": "known", "–": "skipped", "○": "not-judged"}


# ---- Runs and pages


def dloc(*arguments, allowed=(0, 1)):
    done = subprocess.run([DLOC, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode not in allowed:
        sys.exit(f"dloc {' '.join(arguments)}: exit status {done.returncode}\n{done.stdout}")


def path_of(name):
    return os.path.join(FOLDER, name)


def make_run(name, *arguments, vectors=("vectors",)):
    path = path_of(name + ".json")
    dloc("run", "--quiet", "--json", "-o", path, *arguments, *vectors)
    return path


class Run:
    """The JSON lines of a run."""

    def __init__(self, path):
        self.head, *lines = [json.loads(line) for line in open(path, encoding="utf-8")]
        self.totals = lines.pop()
        self.results = {line["id"]: line for line in lines if "id" in line}
        self.findings = {line["choice"]: line for line in lines if "choice" in line}
        changed = " with " + ", ".join(self.head["choices"]) if self.head["choices"] else ""
        self.name = "{implementation} {version}, profile {profile}".format(**self.head) + changed


def kind(result):
    if result["verdict"] == "not-judged" and result["outcome"] == "skipped":
        return "skipped"
    return "different" if result["verdict"] == "layers-lost" else result["verdict"]


def counts(results):
    return dict(collections.Counter(map(kind, results)))


def make_runs():
    """Path of each run; stock LLVM where it is installed."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    paths = [make_run("rfc", "--impl", "model"), make_run("pr205453", "--impl", "model", "--profile", "pr205453")]
    for version in ("22", "19"):
        binaries = f"/usr/lib/llvm-{version}/bin"
        if os.path.exists(os.path.join(binaries, "opt")):
            paths.append(make_run("llvm-" + version, "--impl", "llvm", "--llvm", binaries, "--profile", "llvm-" + version,
                                  vectors=("vectors/merge", "vectors/shape", "vectors/equal", "vectors/source")))
    with open(path_of("known.txt"), "w", encoding="utf-8") as file:
        file.write("merge.line.differ: the fake is a liar\n")
    paths.append(make_run("liar", "--impl", LIAR, "--expect-failures", path_of("known.txt")))
    return paths


# ---- Checks: each is a function that raises AssertionError


def same(actual, expected):
    if actual != expected:
        if isinstance(actual, list) and isinstance(expected, list) and len(actual) == len(expected):
            actual, expected = next((a, b) for a, b in zip(actual, expected) if a != b)
        elif isinstance(actual, dict) and isinstance(expected, dict):
            keys = [key for key in {**actual, **expected} if actual.get(key) != expected.get(key)]
            actual, expected = ({key: each.get(key) for key in keys} for each in (actual, expected))
        raise AssertionError(f"there is {str(actual)[:300]!r}, expected {str(expected)[:300]!r}")


def read_counts(text):
    """{"as-expected": 3, ...} of "✓ 3 ✗ 1"."""
    words = text.split()
    return {SIGNS[sign]: int(number) for sign, number in zip(words[::2], words[1::2])}


def check_matrix(page, runs):
    rows = page.evaluate("[...document.querySelectorAll('.matrix tr')].map(r=>[...r.cells].map(c=>c.innerText))")
    same(rows[0][1:], [f"{number}\n{run.name}" for number, run in enumerate(runs, 1)])
    families = {}
    for i, run in enumerate(runs):
        for result in run.results.values():
            families.setdefault(result["clauses"][0].split(".")[0], [[] for _ in runs])[i].append(result)
    same([row[0] for row in rows[1:]], list(dict.fromkeys(row[0] for row in rows[1:])))
    same({row[0]: [read_counts(cell) for cell in row[1:]] for row in rows[1:]},
         {family: [counts(results) for results in columns] for family, columns in families.items()})


def check_totals(page, runs):
    rows = page.evaluate("[...document.querySelectorAll('#runs+div tbody tr')].map(r=>[...r.cells].map(c=>c.innerText))")
    same([row[0] for row in rows], [f"{number} {run.name}" for number, run in enumerate(runs, 1)])
    same([int(row[1]) for row in rows], [len(run.results) for run in runs])
    same([read_counts(row[2]) for row in rows], [counts(run.results.values()) for run in runs])
    same([row[3].startswith("all as expected") for row in rows], [run.totals["good"] for run in runs])


def check_pairs(page, runs):
    """How many vectors pass in one run and fail in another one; each number leads to the list of them."""
    cells = page.evaluate("[...document.querySelectorAll('.pairs tbody tr')].map(r=>[...r.cells].slice(1).map(c=>c.innerText))")
    passing = [{identity for identity, result in run.results.items() if kind(result) == "as-expected"} for run in runs]
    failing = [{identity for identity, result in run.results.items() if kind(result) == "different"} for run in runs]
    same(cells, [["–" if a is b else str(len(a & failing[j])) for j, b in enumerate(passing)] for a in passing])
    last = len(runs)
    page.click(f".pairs tbody tr:first-child a[href$='r{last}=different']")
    same(page.evaluate("new Promise(done=>setTimeout(done,50)).then(()=>location.hash)"), f"#vectors?r1=expected&r{last}=different")
    same(page.evaluate("shown.textContent"), f"{len(passing[0] & failing[-1])} vectors")
    page.evaluate("document.querySelector('#filter button').click();new Promise(done=>setTimeout(done,50))")
    same(page.evaluate("location.hash"), "#vectors")


def check_cells(page, runs):
    """Each number of the matrix leads to a list that is so long."""
    links = page.evaluate("[...document.querySelectorAll('.matrix a[href^=\"#vectors?\"]')].map(a=>[a.getAttribute('href'),a.innerText.split(' ')[1]])")
    assert len(links) > 50, len(links)
    for href, number in links[:: max(1, len(links) // 20)]:
        text = page.evaluate("new Promise(done=>{addEventListener('hashchange',()=>setTimeout(()=>done(shown.textContent),0),{once:true});"
                             f"location.hash={json.dumps(href)}}})")
        same(text, f"{number} vector" + "s" * (number != "1"))
    page.evaluate("document.querySelector('#filter button').click();new Promise(done=>setTimeout(done,50))")


def profile_choices():
    done = subprocess.run([DLOC, "spec", "--facts"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {line["choice"]: line["profiles"] for line in lines if "profiles" in line and "choice" in line}


def check_choices(page, runs):
    page.click("#choices~details>summary")
    rows = page.evaluate("[...document.querySelectorAll('.choices tbody tr')].map(r=>[r.cells[0].innerText,"
                         "[...r.cells].slice(1).map(c=>[c.querySelector('.told').innerText,c.className])])")
    profiles = profile_choices()
    same(sorted(row[0] for row in rows), sorted(profiles))
    deviating = 0
    for choice, cells in rows:
        told = [run.findings[choice]["alternatives"] if choice in run.findings else "?" for run in runs]
        wrong = [text != "?" and profiles[choice][run.head["profile"]] not in text.split("|") for text, run in zip(told, runs)]
        same(cells, [[text, "deviates" if is_wrong else ""] for text, is_wrong in zip(told, wrong)])
        deviating += any(wrong)
    assert deviating > 0
    same([any(name for _, name in cells) for _, cells in rows], [True] * deviating + [False] * (len(rows) - deviating))
    told = page.evaluate("[...document.querySelectorAll('.choices td')].map(c=>[...c.querySelectorAll('a')].map(a=>a.innerText))")
    same(told, [run.findings[row[0]]["witnesses"] if row[0] in run.findings else [] for row in rows for run in runs])


def is_seen(page, identity):
    return page.evaluate(f"(()=>{{const r=document.getElementById({json.dumps(identity)}).getBoundingClientRect();"
                         "return r.height>0&&r.top>=-1&&r.top<innerHeight})()")


def check_drill_down(page, runs):
    """From the matrix to a vector, by clicks alone."""
    liar = runs[-1].results["merge.column.differ"]
    page.click(".matrix tr[data-family=merge] a")
    assert is_seen(page, "family-merge"), "the family is not in sight"
    vector = "#vector-merge\\.column\\.differ"
    assert page.evaluate(f"document.querySelector('{vector.replace(chr(92), chr(92) * 2)}')") is None
    page.click("#clause-merge\\.column>summary")
    page.click(vector + ">summary")
    page.wait(f"!!document.querySelector({json.dumps(vector + ' .input')})")
    text = lambda selector: page.evaluate(f"document.querySelector({json.dumps(vector + ' ' + selector)}).textContent")
    source = open(os.path.join(ROOT, liar["path"]), encoding="utf-8").read()
    assert text(".input").strip() in source, "the input is not the vector's text"
    same(text(".expected-text"), liar["expected"])
    links = page.evaluate(f"[...document.querySelectorAll({json.dumps(vector + ' a')})].map(a=>a.getAttribute('href')).filter(h=>!h.startsWith('#'))")
    same(links, ["spec.html#clause-merge.column", "playground.html#vector=merge.column.differ&profile=rfc"])
    order = page.evaluate(f"[...document.querySelectorAll({json.dumps(f'{vector} .diff,{vector} .input')})].map(e=>e.className)")
    same(order, ["diff", "input"])
    blocks = page.evaluate(f"[...document.querySelectorAll({json.dumps(vector + ' .actual-text')})].map(e=>e.textContent)")
    assert liar["actual"] in blocks, blocks
    same(page.evaluate(f"[...document.querySelectorAll({json.dumps(vector + ' .diff del')})].map(e=>e.innerText)[0]"),
         "- " + liar["expected"].splitlines()[2])
    same(page.evaluate(f"[...document.querySelectorAll({json.dumps(vector + ' .diff ins')})].map(e=>e.innerText)[0]"),
         "+ " + liar["actual"].splitlines()[2])
    colour = "getComputedStyle(document.querySelector({})).backgroundColor"
    parts = [page.evaluate(colour.format(json.dumps(vector + " .diff " + part))) for part in ("del", "ins", "span")]
    same(len(set(parts)), 3)
    page.screenshot(path_of("vector.png"))


def check_every_difference(page, runs):
    """Each result that differs shows what was expected and what was answered."""
    page.evaluate("new Promise(done=>{document.querySelectorAll('.clause').forEach(c=>c.fill());"
                  "document.querySelectorAll('.vector').forEach(v=>v.fill());setTimeout(done,0)})")
    shown = page.evaluate(
        "[...document.querySelectorAll('.vector')].map(v=>[v.id,[...v.querySelectorAll('.expected-text')].map(e=>e.textContent),"
        "[...v.querySelectorAll('.actual-text')].map(e=>e.textContent),v.querySelector('.input').textContent])")
    shown = {identity.removeprefix("vector-"): (expected, actual, text) for identity, expected, actual, text in shown}
    same(set(shown), {identity for run in runs for identity in run.results})
    differ = 0
    for run in runs:
        for identity, result in run.results.items():
            expected, actual, text = shown[identity]
            assert f"id: {identity}\n" in text, identity
            if kind(result) == "different":
                differ += 1
                assert result["expected"] in expected, (identity, expected)
            assert result["actual"] in actual, (identity, result["actual"], actual)
    assert differ > 100, differ


def check_known(page):
    page.evaluate("new Promise(done=>{addEventListener('hashchange',()=>setTimeout(done,0));location.hash='#vector-merge.line.differ'})")
    text = page.evaluate("document.getElementById('vector-merge.line.differ').textContent")
    assert "Known to fail: the fake is a liar" in text, text[:300]


def check_links(page, other="none"):
    """Every link leads to a place of this page, but for those to another one."""
    same(page.evaluate("[...document.querySelectorAll('a[href]')].map(a=>a.getAttribute('href'))"
                       f".filter(h=>!/^(#vectors\\?|{other})/.test(h))"
                       ".filter(h=>!h.startsWith('#')||!document.getElementById(h.slice(1))&&!data.vectors?.some(v=>'#vector-'+v.id===h))"), [])
    same(page.evaluate("(()=>{const n={};document.querySelectorAll('[id]').forEach(e=>n[e.id]=(n[e.id]||0)+1);"
                       "return Object.keys(n).filter(k=>n[k]>1)})()"), [])


def check_hash(page):
    """A link to a vector opens it, wherever it is, also when the filter hides it."""
    page.evaluate("document.querySelectorAll('details').forEach(d=>d.open=false)")
    fill_filter(page, "find", "no such vector")
    same(page.evaluate("shown.textContent"), "0 vectors")
    page.evaluate("new Promise(done=>{addEventListener('hashchange',()=>setTimeout(done,0));location.hash='#vector-'+data.vectors[300].id})")
    target = page.evaluate("location.hash.slice(1)")
    assert is_seen(page, target), "the vector is not in sight"
    same(page.evaluate(f"document.getElementById({json.dumps(target)}).open"), True)
    covered, top = page.evaluate(f"[document.getElementById('filter').getBoundingClientRect().bottom,document.getElementById({json.dumps(target)}).getBoundingClientRect().top]")
    assert covered <= top, f"the filter covers what is above {covered}, the target begins at {top}"
    fill_filter(page, "find", "")


def fill_filter(page, name, value):
    page.evaluate(f"(()=>{{const e=document.querySelector('#filter [name={name}]');e.value={json.dumps(value)};e.dispatchEvent(new Event('input',{{bubbles:true}}))}})()")


def check_filter(page, runs):
    every = {identity: result for run in runs for identity, result in run.results.items()}
    page.evaluate("document.querySelectorAll('.clause').forEach(c=>c.fill())")
    for choice in ("different", "known", "skipped", "as-expected", "not-judged"):
        option = {"as-expected": "expected"}.get(choice, choice)
        fill_filter(page, "show", option)
        wanted = {identity for run in runs for identity, result in run.results.items() if kind(result) == choice}
        shown = page.evaluate("[...document.querySelectorAll('.vector:not([hidden])')].map(v=>v.id.slice(7))")
        same(sorted(shown), sorted(wanted))
        same(page.evaluate("shown.textContent"), f"{len(wanted)} vector" + "s" * (len(wanted) != 1))
        same(page.evaluate("[...document.querySelectorAll('.clause:not([hidden])')].every("
                           "c=>c.querySelector('.vector:not([hidden])'))"), True)
    fill_filter(page, "show", "verdicts")
    verdicts = collections.defaultdict(set)
    for run in runs:
        for identity, result in run.results.items():
            verdicts[identity].add(kind(result))
    same(page.evaluate("shown.textContent"), f"{sum(len(each) > 1 for each in verdicts.values())} vectors")
    fill_filter(page, "show", "")
    page.evaluate("document.querySelector('#filter [name=find]').focus()")
    page.call("Input.insertText", text="MERGE line")
    shown = page.evaluate("[...document.querySelectorAll('.vector:not([hidden])')].map(v=>v.id.slice(7))")
    same(sorted(shown), sorted(identity for identity, result in every.items()
                               if all(word in f"{identity} {result['clauses'][0]}" for word in ("merge", "line"))))
    fill_filter(page, "find", "")


def fails(result):
    return kind(result) == "different"


def check_changes(page, before, now):
    """What changed, worked out here once more."""
    wanted = collections.Counter()
    for identity in before.results.keys() | now.results.keys():
        old, new = before.results.get(identity), now.results.get(identity)
        if not old or not new:
            wanted["gone" if old else "new"] += 1
        elif fails(new) and not fails(old):
            wanted["newly failing"] += 1
        elif new["verdict"] == "as-expected" and old["verdict"] in ("different", "layers-lost", "known"):
            wanted["newly passing"] += 1
        elif old["verdict"] != new["verdict"]:
            wanted["other verdict"] += 1
        elif (old["outcome"], old.get("actual")) != (new["outcome"], new.get("actual")):
            wanted["other answer"] += 1
    shown = page.evaluate("Object.fromEntries([...document.querySelectorAll('[data-change]')].map("
                          "d=>[d.dataset.change,d.querySelectorAll('li').length]))")
    same(shown, dict(wanted))
    assert wanted["newly failing"] > 100, wanted


def clauses_of_spec():
    done = subprocess.run([DLOC, "spec", "--list"], stdout=subprocess.PIPE, text=True, check=True)
    return [line.split("\t") for line in done.stdout.splitlines()]


def vectors_of_suite():
    done = subprocess.run([DLOC, "fmt", "--to", "jsonl", "vectors"], stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def check_statements(page):
    """Every clause stands there once, as the table has it."""
    shown = page.evaluate("[...document.querySelectorAll('main section')].map(s=>[s.id,s.querySelector('p').innerText])")
    shown = [[identity, " ".join(text.split())] for identity, text in shown]
    wanted = [["clause-" + anchor, " ".join(f"{anchor} ({level}, {origin}) {statement.replace('`', '')}".split())]
              for anchor, level, origin, _, statement in clauses_of_spec()]
    same(sorted(shown), sorted(wanted))


def check_trace(page, runs):
    """At each clause, the counts of each run over its vectors; and the vectors themselves, those that no run takes among them."""
    page.evaluate("document.querySelectorAll('.trace').forEach(t=>t.fill?.())")
    shown = page.evaluate("Object.fromEntries([...document.querySelectorAll('.trace')].map(t=>[t.dataset.clause||'choice '+t.dataset.choice,"
                          "[[...t.querySelectorAll('summary>.counts')].map(c=>c.innerText),"
                          "[...t.querySelectorAll('.vectors tbody th>a:first-child')].map(c=>c.textContent)]]))")
    told = {name.removeprefix("choice "): shown.pop(name)[1] for name in list(shown) if name.startswith("choice ")}
    vectors, columns = collections.defaultdict(list), collections.defaultdict(lambda: [[] for _ in runs])
    choices = collections.defaultdict(list)
    for i, run in enumerate(runs):
        for result in run.results.values():
            for clause in result["clauses"]:
                columns[clause][i].append(result)
    for vector in vectors_of_suite():
        for clause in vector["clauses"]:
            vectors[clause].append(vector["id"])
        for choice in {**vector.get("choices", {}), **vector.get("with", {})}:
            choices[choice].append(vector["id"])
    same({choice: sorted(ids) for choice, ids in told.items()}, {choice: sorted(choices[choice]) for choice in profile_choices()})
    same({clause: [read_counts(cell) for cell in cells] for clause, (cells, _) in shown.items()},
         {clause: [counts(results) for results in columns[clause]] for clause, *_ in clauses_of_spec()})
    same({clause: sorted(ids) for clause, (_, ids) in shown.items()},
         {clause: sorted(vectors[clause]) for clause, *_ in clauses_of_spec()})


def follow(page, place):
    page.evaluate(f"new Promise(done=>{{addEventListener('hashchange',()=>setTimeout(done,100),{{once:true}});location.hash={json.dumps('#' + place)}}})")


def check_pages(page):
    """One chapter is shown at a time: the first, then that of what a link leads to, and that behind it."""
    shown = "[...document.querySelectorAll('.page')].filter(p=>p.checkVisibility()).map(p=>p.querySelector('h2').textContent)"
    same(page.evaluate(shown), ["The RFC, sentence by sentence"])
    follow(page, "clause-lines.row")
    same(page.evaluate(shown), ["12 Line tables"])
    assert is_seen(page, "clause-lines.row")
    for anchor, target in (("merge.line", "clause-merge.line"), ("merge.empty", "choice-merge.empty"), ("equal.bare.same", "vector-equal.bare.same")):
        follow(page, anchor)  # the name alone
        same(page.evaluate("location.hash.slice(1)"), target)
        assert is_seen(page, target)
    follow(page, "clause-lines.row")
    page.evaluate("new Promise(done=>{addEventListener('hashchange',()=>setTimeout(done,100),{once:true});"
                  "document.querySelector('.page:not([hidden]) .turn a:last-child').click()})")
    same(page.evaluate(shown), ["13 Discriminators"])


def check_origins(page):
    """The filter leaves the clauses of an origin and a level, in all chapters; a link to another clause ends it."""
    lines = clauses_of_spec()
    choose = "(()=>{for(const [id,value] of %s){const e=document.getElementById(id);e.value=value;e.dispatchEvent(new Event('change'))}})()"
    seen = "[...document.querySelectorAll('main section')].filter(s=>s.checkVisibility()).map(s=>s.id.slice(7))"
    for origin, level in (("rfc", "must"), ("dwarf", ""), ("", "record")):
        page.evaluate(choose % json.dumps([["origin", origin], ["level", level]]))
        wanted = [line[0] for line in lines if origin in ("", line[2]) and level in ("", line[1])]
        same(sorted(page.evaluate(seen)), sorted(wanted))
        same(page.evaluate("document.getElementById('shown').textContent"), f"{len(wanted)} clauses")
    follow(page, "clause-merge.line")
    same(page.evaluate("['origin','level'].map(id=>document.getElementById(id).value)"), ["", ""])
    assert is_seen(page, "clause-merge.line")


def check_opens(page):
    follow(page, "clause-merge.line")
    page.click("[data-clause='merge.line']>summary")
    page.evaluate("new Promise(done=>setTimeout(done,50))")
    assert page.evaluate("document.querySelector(\"[data-clause='merge.line'] table\").checkVisibility()")
    links = page.evaluate("[...document.querySelectorAll(\"[data-clause='merge.line'] tbody tr:first-child a\")].map(a=>a.getAttribute('href'))")
    identity = links[0].removeprefix("report.html#vector-")
    same(links, [f"report.html#vector-{identity}", f"playground.html#vector={identity}"])


def check_search(page):
    """Names of every kind are found, and lead there; the name that was typed comes first."""
    follow(page, "volume-SPEC")
    for text, place in (("merge.line", "clause-merge.line"), ("merge.empty", "choice-merge.empty"), ("shape.no-layers", "clause-shape.no-layers"),
                        ("location.scope-declaration", "reason-location.scope-declaration"), ("equal.bare.same", "vector-equal.bare.same")):
        page.evaluate(f"search.value={json.dumps(text)};search.dispatchEvent(new Event('input'))")
        same(page.evaluate("found.querySelector('a').getAttribute('href')"), "#" + place)
        page.evaluate("new Promise(done=>{addEventListener('hashchange',()=>setTimeout(done,50),{once:true});search.form.requestSubmit()})")
        assert is_seen(page, place), place
    page.evaluate("search.value='no such wombat';search.dispatchEvent(new Event('input'))")
    same(page.evaluate("[document.getElementById('count').textContent,found.children.length]"), ["0 found", 0])
    page.evaluate("search.value='';search.dispatchEvent(new Event('input'))")


def check_contents(page):
    """Every clause and choice is in the contents, which show where the reader is; the title stands first."""
    names = {line[0] for line in clauses_of_spec()}
    same(set(page.evaluate("[...document.querySelectorAll('#chapters li.clause')].map(l=>l.textContent)")), names)
    same(set(page.evaluate("[...document.querySelectorAll('#chapters li.choice')].map(l=>l.textContent)")), set(profile_choices()))
    same(page.evaluate("document.querySelector('h1').compareDocumentPosition(document.getElementById('chapters'))&4"), 4)
    follow(page, "clause-inline.layers")
    same(page.evaluate("[...document.querySelectorAll('[aria-current]')].map(a=>a.textContent)"), ["inline.layers"])
    same(page.evaluate("[...document.querySelectorAll('.chapter.here>a')].map(a=>a.textContent)"), ["5 Inline"])
    page.resize(420, 800)
    same(page.evaluate("new Promise(done=>setTimeout(()=>done(contents.open),50))"), False)
    page.resize(1280, 900)
    same(page.evaluate("new Promise(done=>setTimeout(()=>done(contents.open),50))"), True)


# Relative luminance and contrast as in WCAG 2; the background is that of the nearest element that has one.
CONTRAST = """(()=>{
const rgba=c=>c.match(/[\\d.]+/g).map(Number);
const light=c=>{const [r,g,b]=c.map(v=>{v/=255;return v<=.03928?v/12.92:((v+.055)/1.055)**2.4});return .2126*r+.7152*g+.0722*b};
const back=e=>{for(;e;e=e.parentElement){const c=rgba(getComputedStyle(e).backgroundColor);if(c.length<4||c[3]>0)return c.slice(0,3)}return [255,255,255]};
let worst=[99,''];
for(const e of document.querySelectorAll('p,a,td,th,span,ins,del,pre,summary,code,h1,h2,h3')){
const [a,b]=[light(rgba(getComputedStyle(e).color).slice(0,3)),light(back(e))].sort((x,y)=>y-x);
const c=(a+.05)/(b+.05);if(c<worst[0])worst=[c,e.outerHTML.slice(0,120)]}
return worst})()"""


def check_colours(page):
    grounds = []
    for scheme in ("light", "dark"):
        page.scheme(scheme)
        grounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        contrast, where = page.evaluate(CONTRAST)
        assert contrast >= 4.5, f"{scheme}: contrast {contrast:.2f} at {where}"
        page.screenshot(path_of(f"{scheme}-{os.path.basename(page.url)}.png"))
        axe.check_axe(page)
    page.scheme("light")
    assert grounds[0] != grounds[1], grounds


def check_narrow(page):
    page.resize(420, 800)
    try:
        wide = page.evaluate("document.documentElement.scrollWidth-innerWidth")
        cut = page.evaluate("[...document.querySelectorAll('.scroll')].filter(e=>e.checkVisibility()&&e.scrollWidth>e.clientWidth&&"
                            "e.querySelector('.cards,.matrix,.pairs')).map(e=>e.outerHTML.slice(0,100))")
        page.screenshot(path_of(f"narrow-{os.path.basename(page.url)}.png"))
        axe.check_axe(page)
    finally:
        page.resize(1280, 900)
    assert wide <= 0, f"{wide} pixels too wide for 420"
    same(cut, [])


def check_structure(page):
    same(page.evaluate("document.documentElement.lang"), "en")
    same(page.evaluate("document.querySelectorAll('h1,main').length"), 2)
    same(page.evaluate("[...document.querySelectorAll('th')].filter(t=>!t.scope).length"), 0)
    same(page.evaluate("[...document.querySelectorAll('details')].filter(d=>d.firstElementChild.tagName!=='SUMMARY').length"), 0)
    levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4')].map(h=>+h.tagName[1])")
    assert all(b - a <= 1 for a, b in zip(levels, levels[1:])), levels


def check_peace(page):
    same(page.complaints(), [])
    same(page.requests(), [])


# ---- Suites


class Tally:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, function, *arguments):
        try:
            function(*arguments)
            self.passed += 1
        except Exception:  # a broken page may break the script that looks at it
            self.failed += 1
            print(f"not ok {name}:\n{traceback.format_exc(limit=-2)}")


def check_report(browser, tally, paths):
    runs = [Run(path) for path in paths]
    page_path = path_of("report.html")
    dloc("report", "--quiet", "--html", page_path, "--spec", "spec.html", "--playground", "playground.html", *paths)
    size = os.path.getsize(page_path)
    tally.check("report: size", lambda: same(size < 7_000_000, True))
    page = chromium.Page(browser, page_path)
    tally.check("report: elements", lambda: same(page.evaluate("document.querySelectorAll('*').length") < 15_000, True))
    tally.check("report: totals", check_totals, page, runs)
    tally.check("report: matrix", check_matrix, page, runs)
    tally.check("report: pairs", check_pairs, page, runs)
    tally.check("report: cells", check_cells, page, runs)
    tally.check("report: drill-down", check_drill_down, page, runs)
    tally.check("report: known failures", check_known, page)
    tally.check("report: choices", check_choices, page, runs)
    tally.check("report: links", check_links, page, "spec.html#|spec.html$|playground.html#")
    tally.check("report: link to a vector", check_hash, page)
    tally.check("report: colours", check_colours, page)
    tally.check("report: narrow", check_narrow, page)
    tally.check("report: structure", check_structure, page)
    tally.check("report: filter", check_filter, page, runs)
    tally.check("report: every difference", check_every_difference, page, runs)
    tally.check("report: peace", check_peace, page)


def check_before(browser, tally, before, now):
    page_path = path_of("changes.html")
    dloc("report", "--quiet", "--html", page_path, "--before", before, now)
    page = chromium.Page(browser, page_path)
    tally.check("changes", check_changes, page, Run(before), Run(now))
    tally.check("changes: links", check_links, page)
    tally.check("changes: peace", check_peace, page)


def check_spec(browser, tally, paths):
    page_path = path_of("spec.html")
    arguments = [word for path in paths for word in ("--run", path)]
    dloc("spec", "--html", page_path, "--report", "report.html", "--playground", "playground.html", *arguments, "SPEC.md", "vectors", allowed=(0,))
    runs = [Run(path) for path in paths]
    page = chromium.Page(browser, page_path)
    tally.check("spec: elements", lambda: same(page.evaluate("document.querySelectorAll('*').length") < 35_000, True))
    tally.check("spec: pages", check_pages, page)
    tally.check("spec: filter", check_origins, page)
    tally.check("spec: statements", check_statements, page)
    tally.check("spec: contents", check_contents, page)
    tally.check("spec: opens", check_opens, page)
    tally.check("spec: search", check_search, page)
    tally.check("spec: colours", check_colours, page)
    tally.check("spec: narrow", check_narrow, page)
    tally.check("spec: structure", check_structure, page)
    tally.check("spec: trace", check_trace, page, runs)
    tally.check("spec: links", check_links, page, "report.html#vector-|playground.html#vector=")
    tally.check("spec: peace", check_peace, page)


EVIL = '"><script>alert(1)</script><img src=http://127.0.0.1:9/x onerror=alert(2)><!-- \' &lt; ]]>'


HOSTILE = EVIL + "\u2028\u2029\u202e\u2066\u200b ${alert(3)} `</script><!--<script>\\u003c"
NAMES = ("__proto__", "constructor", "toString", "hasOwnProperty", "valueOf")  # what each object of JavaScript has
HOSTILE_VECTOR = """id: constructor
note: %s
nodes:
  file: {node: DIFile, filename: %s, directory: d}
op: merge
args: [null, null]
expect: {outcome: ok, value: {result: null}}
clauses: [merge.line]
level: must
since: rfc
needs: [merge]
"""


def evil_run(path):
    """A run whose every text wants to be markup, with ids and clauses that objects have already."""
    with open(path, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    lines[0].update(implementation=HOSTILE, version=HOSTILE, profile=HOSTILE, choices=[HOSTILE])
    for line in lines[1:20]:
        line.update(clauses=[HOSTILE], level=HOSTILE, op=HOSTILE, path=HOSTILE, digest=HOSTILE, expected=HOSTILE, actual=HOSTILE + "\n" + HOSTILE)
    for line, name in zip(lines[2:], NAMES):
        line.update(id=name, clauses=[name], op=name)
    lines[1].update(id=HOSTILE, verdict="known", known=HOSTILE)
    lines[-1].update({"faults": [HOSTILE], "fault-count": 1, "stale": [{"line": 1, "id": HOSTILE, "seen": True}]})
    lines[-2].update(choice="merge.empty", alternatives=HOSTILE, witnesses=[HOSTILE])
    lines = lines[:20] + lines[-2:]
    lines[-1]["vectors"] = 19
    with open(path_of("evil.json"), "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    return path_of("evil.json")


def check_evil(browser, tally, path):
    evil_path, page_path, vector, spec = evil_run(path), path_of("evil.html"), path_of("evil.yaml"), path_of("SPEC.md")
    with open(vector, "w", encoding="utf-8") as file:
        file.write(HOSTILE_VECTOR % (json.dumps(HOSTILE), json.dumps(HOSTILE)))
    dloc("report", "--quiet", "--html", page_path, "--vectors", vector, "--before", evil_path, evil_path)
    page = chromium.Page(browser, page_path)
    tally.check("evil: it is shown", lambda: same(page.evaluate(f"document.body.innerText.includes({json.dumps(EVIL)})"), True))
    page.evaluate("new Promise(done=>{document.querySelectorAll('.clause').forEach(c=>c.fill());"
                  "document.querySelectorAll('.vector').forEach(v=>v.fill());setTimeout(done,0)})")
    shown = "[...document.querySelectorAll('.vector')].map(v=>v.id)"
    tally.check("evil: names that objects have", lambda: same([name for name in NAMES if f"vector-{name}" not in page.evaluate(shown)], []))
    check_inert(tally, "evil", page)
    with open(os.path.join(ROOT, "SPEC.md"), encoding="utf-8") as source, open(spec, "w", encoding="utf-8") as file:
        file.write(source.read().replace("\n\n", f"\n\n{HOSTILE}\n\n`{HOSTILE.replace('`', '')}`\n\n", 1))
    shutil.copytree(os.path.join(ROOT, "spec"), path_of("spec"))
    dloc("spec", "--html", path_of("evil-spec.html"), "--run", evil_path, spec, "vectors", vector, allowed=(0,))
    page = chromium.Page(browser, path_of("evil-spec.html"))
    page.evaluate("new Promise(done=>{document.querySelectorAll('details').forEach(d=>d.open=true);setTimeout(done,200)})")
    tally.check("evil, spec: it is shown", lambda: same(page.evaluate(f"document.body.innerText.split({json.dumps(EVIL)}).length>2"), True))
    check_inert(tally, "evil, spec", page)


def check_inert(tally, name, page):
    tally.check(f"{name}: elements", lambda: same(page.evaluate("document.querySelectorAll('script,img,iframe').length"), 2))
    tally.check(f"{name}: peace", check_peace, page)


def open_browse(browser, name, program, options):
    """The page of a program, and the JSON that it is made of."""
    page_path, data_path = path_of(f"browse-{name}.html"), path_of(f"browse-{name}.json")
    dloc("browse", program, *options, "-o", page_path, allowed=(0,))
    dloc("browse", program, *options, "--json", "-o", data_path, allowed=(0,))
    with open(data_path, encoding="utf-8") as file:
        reader = browse.Reader(chromium.Page(browser, page_path, 1400, 900), browse.Data(file.read()))
    reader.folder = FOLDER
    return reader


def check_looks(tally, name, page):
    tally.check(f"{name}: colours", check_colours, page)
    tally.check(f"{name}: structure", check_structure, page)
    tally.check(f"{name}: names", browse.check_names, page)
    tally.check(f"{name}: peace", check_peace, page)


def check_browse(browser, tally):
    hot = open_browse(browser, "layers", *browse.make_program(path_of("browse")))
    for check in (browse.check_rows, browse.check_none, browse.check_bars, browse.check_clicks, browse.check_fragment, browse.check_pointer, browse.check_keys, browse.check_boxes,
                  browse.check_phone, browse.check_panes):
        tally.check("browse: " + check.__name__[len("check_"):], check, hot)
    tally.check("browse: narrow phone", browse.check_phone, hot, 320)
    check_looks(tally, "browse", hot.page)
    many = open_browse(browser, "many", *browse.make_many(path_of("browse")))
    for check in (browse.check_many, browse.check_rows, browse.check_none, browse.check_whole, browse.check_metadata, browse.check_blanks, browse.check_clicks, browse.check_phone, browse.check_panes):
        tally.check("browse, five panes: " + check.__name__[len("check_"):], check, many)
    tally.check("browse, five panes: syntax", lambda: browse.check_syntax(many, word="for", name="%5", node="0x", comment="; preds = "))
    check_looks(tally, "browse, five panes", many.page)
    cold = open_browse(browser, "cold", *browse.make_inlining(path_of("browse")))
    for check in (browse.check_rows, browse.check_cold, browse.check_inlining, browse.check_clicks):
        tally.check("browse, inlining: " + check.__name__[len("check_"):], check, cold)
    check_looks(tally, "browse, inlining", cold.page)
    recursive = open_browse(browser, "recursive", *browse.make_recursive(path_of("browse")))
    for check in (browse.check_rows, browse.check_whole, browse.check_clicks):
        tally.check("browse, recursion: " + check.__name__[len("check_"):], check, recursive)
    large = open_browse(browser, "large", *browse.make_large(path_of("browse")))
    tally.check("browse, large", browse.check_large, large)
    tally.check("browse, large: peace", check_peace, large.page)
    evil = open_browse(browser, "evil", *browse.make_evil(path_of("browse"), EVIL))
    tally.check("browse, evil: it is shown", browse.check_evil, evil, EVIL)
    tally.check("browse, evil: rows", browse.check_rows, evil)
    check_inert(tally, "browse, evil", evil.page)


def main():
    program = chromium.find()
    if not program:
        sys.exit("tests/browser: there is no Chromium; `.ci/setup browser` installs it")
    tally, paths = Tally(), make_runs()
    browser = chromium.Browser(program)
    try:
        check_report(browser, tally, paths)
        check_before(browser, tally, paths[0], paths[-1])
        check_spec(browser, tally, paths)
        check_evil(browser, tally, paths[-1])
        check_browse(browser, tally)
    finally:
        browser.close()
    print(f"{tally.passed} passed, {tally.failed} failed")
    sys.exit(tally.failed > 0)


main()
