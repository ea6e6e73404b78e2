#!/usr/bin/env python3
"""usage: tests/browser/playground.py

Uses the playground in headless Chromium. What it shows must be what $DLOC says; hostile input must leave it alive; nothing is asked of the network.
axe-core must find nothing. Screenshots are left in $BUILD/browser. DLOC and BUILD are as for tests/run."""

import json
import os
import subprocess
import sys
import time
import traceback

import axe
import chromium

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, os.environ.get("BUILD", "build"))
DLOC = os.environ.get("DLOC", os.path.join(BUILD, "dloc"))
FOLDER = os.path.join(BUILD, "browser")
PAGE = os.path.join(BUILD, "playground.html")
EVIL = '"><img src=http://127.0.0.1:9/x onerror=alert(1)><script>alert(2)</script><!--<script>\u2028\u2029\u202e\u2066 ${alert(3)}'
NO_STATE = "this link does not hold a state of this page"
TABS = {"merge": ["merge", "--explain"], "inline": ["inline"], "lines": ["emit"], "records": ["encode"], "print": ["print", "--locations"]}


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def native(module, *arguments):
    return subprocess.run([DLOC, *arguments], input=module, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT).stdout


def same(actual, expected):
    assert actual == expected, f"there is {str(actual)[:400]!r}, expected {str(expected)[:400]!r}"


class Reader:
    """A reader's hands and eyes."""

    def __init__(self, browser, width=1400, height=900, fragment=""):
        self.page = chromium.Page(browser, PAGE, width, height)
        if fragment:
            self.page.evaluate(f"location.hash={json.dumps(fragment)}")
        self.wait()

    def wait(self, seconds=20):
        """Until the newest question is answered."""
        end = time.monotonic() + seconds
        while True:
            time.sleep(0.05)
            if self.page.evaluate("typeof engine==='object'&&!engine.running&&!engine.waiting&&document.getElementById('status').textContent!=='loading'"):
                time.sleep(0.05)
                return
            assert time.monotonic() < end, "the page does not answer"

    def act(self, script):
        value = self.page.evaluate(script)
        self.wait()
        return value

    def type(self, text):
        self.act(f"(()=>{{const t=document.getElementById('text');t.value={json.dumps(text)};t.dispatchEvent(new Event('input'))}})()")

    def select(self, name, value):
        self.act(f"(()=>{{const s=document.getElementById({json.dumps(name)});s.value={json.dumps(value)};s.dispatchEvent(new Event('change'))}})()")

    def tab(self, name):
        self.page.click(f"#tab-{name}")
        self.wait()

    def text(self, selector):
        return self.page.evaluate(f"[...document.querySelectorAll({json.dumps(selector)})].map(e=>e.innerText)")

    def lines(self, column=0):
        return self.page.evaluate(f"[...document.querySelectorAll('.columns>div')[{column}].querySelectorAll('.out .line')].map(e=>e.textContent)")

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.page.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode={"ArrowRight": 39, "Home": 36, "Escape": 27, "End": 35}[key])
        self.wait()

    def problems(self):
        return self.page.evaluate("[...document.querySelectorAll('#problems li')].map(e=>[e.querySelector('.where').textContent,e.querySelector('.reason').textContent.split(' ')[0]])")


KERNEL, MISTAKES = read("playground/examples/kernel.ll"), read("playground/examples/mistakes.ll")


def check_merge(reader):
    said = native(KERNEL, "merge", "--explain", "-", "!28", "!29").splitlines()
    same(reader.lines(), [line for line in said if not line.startswith("; ")])
    same(reader.text(".trace li"), [line[2:].replace(":", "", 1) for line in said if line.startswith("; ")])
    same(reader.page.evaluate("document.querySelectorAll('svg .box').length"), 7)
    reader.act("document.querySelector('[data-do=swap]').click()")
    same(reader.lines(), [line for line in native(KERNEL, "merge", "-", "!29", "!28").splitlines()])
    reader.act("document.querySelector('[data-do=more]').click()")
    same(reader.text("[data-pick]") and reader.page.evaluate("document.querySelectorAll('[data-pick]').length"), 3)
    reader.select("example", "a kernel in TileIR and MLIR")


def check_tour(reader):
    """Five examples with a sentence each; Why by channel; the same module in the other form where a profile refuses this one."""
    assert "layer" in reader.text("#intro")[0]
    steps = reader.page.evaluate("[...document.querySelectorAll('#tour button')].map(b=>b.dataset.example)")
    same(len(steps), 5)
    for step in steps:
        reader.act(f"document.querySelector('#tour [data-example={json.dumps(step)}]').click()")
        same(reader.page.evaluate("[document.getElementById('example').value,document.querySelector('#tour [aria-pressed=true]').dataset.example]"), [step, step])
        assert len(reader.text("#told")[0]) > 40 and reader.page.evaluate("document.getElementById('output').textContent.length>40"), step
    reader.select("example", "a kernel in TileIR and MLIR")
    same(reader.text("#output h4"), ["primary", "layer TileIR", "the layers together"])
    reader.select("profile", "llvm-24")
    reader.act("document.querySelector('[data-form]').click()")
    same(reader.page.evaluate("state.ir"), native(KERNEL, "convert", "--to", "irlayers", "-"))
    same([reader.problems(), reader.page.evaluate("state.profile")], [[], "llvm-24"])
    reader.select("example", "a kernel in TileIR and MLIR")


def check_tabs(reader):
    for tab, command in TABS.items():
        reader.tab(tab)
        said = native(KERNEL, *command, "-", *(["!28", "!29"] if tab == "merge" else []))
        if tab == "lines":
            same(reader.page.evaluate("[...document.querySelectorAll('tbody tr')].map(r=>[...r.cells].map(c=>c.textContent).join('\\t'))"), said.splitlines())
        else:
            same(reader.lines(), [line for line in said.splitlines() if tab != "merge" or not line.startswith("; ")])
    same(reader.page.evaluate("document.getElementById('status').textContent.split(';')[0]"), "Locations: done")
    reader.tab("merge")


def check_focus(reader):
    """A choice by keys leaves the focus where it is."""
    reader.act("(()=>{const s=document.querySelector('[data-pick=\"1\"]');s.focus();s.value='none';s.dispatchEvent(new Event('change',{bubbles:true}))})()")
    same(reader.page.evaluate("document.activeElement.dataset.pick+document.activeElement.value"), "1none")
    reader.select("example", "a kernel in TileIR and MLIR")


def check_convert(reader):
    reader.tab("convert")
    made = native(KERNEL, "convert", "--to", "irlayers", "-")
    same(reader.lines(), made.splitlines())
    reader.act("document.querySelector('[data-do=adopt]').click()")
    same(reader.page.evaluate("[state.ir,state.profile]"), [made, "llvm-24"])
    same(reader.text("#problems"), ["✓ no violation"])
    same(reader.lines(), native(made, "convert", "--to", "tuple", "-").splitlines())
    reader.select("example", "a kernel in TileIR and MLIR")
    reader.tab("merge")


def check_verify(reader):
    reader.type(MISTAKES)
    said = [json.loads(line) for line in native(MISTAKES, "verify", "--json", "-W", "-").splitlines()]
    same(reader.problems(), [[f"{each['line']}:{each['column']}" if "line" in each else "module", each["reason"]] for each in said])
    same(reader.page.evaluate("document.querySelectorAll('.colours .wrong').length"), len({each["line"] for each in said if "line" in each}))
    reader.page.click("#problems li:nth-child(3) button")
    same(reader.page.evaluate("(()=>{const t=document.getElementById('text');return [document.activeElement===t,t.value.slice(0,t.selectionStart).split('\\n').length]})()"),
         [True, said[2]["line"]])
    reader.type("define void @f() {\n  ret vo")
    same(len(reader.problems()), 1)
    reader.type(KERNEL)
    same(reader.problems(), [])
    same(reader.page.evaluate("[index_of('é🙂ab',1),index_of('é🙂ab',3),index_of('é🙂ab',8),index_of('',9)]"), [0, 1, 4, 0])  # columns are bytes


def check_compare(reader):
    reader.select("other", "llvm-22")
    same(reader.text(".columns h2"), ["rfc", "llvm-22"])
    assert "shape.tuple-rejected" in reader.text(".columns>div")[1]
    reader.select("other", "pr205453")
    same(reader.lines(1), [line for line in native(KERNEL, "merge", "--profile", "pr205453", "-", "!28", "!29").splitlines()])
    reader.select("other", "")


def check_choices(reader):
    reader.page.click("#choose")
    reader.act("(()=>{const f=document.getElementById('filter');f.value='one-sided';f.dispatchEvent(new Event('input'))})()")
    same(reader.text("#choices td code"), ["merge.layer.one-sided"])
    reader.act("(()=>{const s=document.querySelector('#choices tbody select');s.value='drop';s.dispatchEvent(new Event('change',{bubbles:true}))})()")
    reader.press("Escape")
    same(reader.page.evaluate("document.getElementById('choices').open"), False)
    same(reader.lines(), native(KERNEL, "merge", "--choice", "merge.layer.one-sided=drop", "-", "!28", "!29").splitlines())
    same(reader.text("#choose"), ["Choices (1 changed)"])


def check_share(browser, reader):
    reader.page.click("#share")
    reader.wait()
    end = time.monotonic() + 5
    while not (fragment := reader.page.evaluate("location.hash")).startswith("#v1="):
        assert time.monotonic() < end
    other = Reader(browser, fragment=fragment)
    same(other.page.evaluate("JSON.stringify(state)"), reader.page.evaluate("JSON.stringify(state)"))
    same(other.lines(), reader.lines())
    reader.act("document.getElementById('reset').click()")


def check_vectors(reader):
    vectors = [json.loads(line)["vector"] for line in native("", "list", "--json", "vectors").splitlines()]
    for vector in vectors[::400]:
        reader.act(f"location.hash={json.dumps('vector=' + vector['id'])}")
        reader.wait()
        same(reader.text(".verdict"), ["✓ as expected"])
        same(reader.text(".command"), [f"dloc explain {vector['id']}"])
        assert vector["note"] in reader.text("#output")[0]
    reader.act("location.hash='vector=merge.line.differ&profile=llvm-14'")
    same(reader.page.evaluate("state.profile"), "llvm-14")
    reader.act("location.hash='vector=merge.line.differ'")
    reader.page.click("#edit-vector")
    vector = json.loads(reader.page.evaluate("state.vector"))
    vector["expect"] = {"outcome": "reject", "reason": "shape.no-operands"}
    reader.type(json.dumps(vector))
    same(reader.text(".verdict"), ["✗ not as expected"])
    same(reader.text(".command"), ["dloc explain merge.line.differ"])
    reader.type("{")
    same(reader.text(".command"), [])
    assert reader.text("#output .error"), "what is no vector has no message"


def check_fragments(reader):
    for fragment, said in (("vector=none.such", "there is no vector none.such"), ("v9=abc", "this page does not know links of the form v9"), ("vector=merge.line.differ&profile=toString", "there is no profile toString"),
                           ("v1=abc", NO_STATE), ("v1=", NO_STATE), ("v1=%", NO_STATE), ("v1=q1YqSyxSslLKyVfSUUpWsrI01wMA", NO_STATE)):
        reader.page.evaluate(f"location.hash={json.dumps(fragment)}")
        time.sleep(0.3)
        same(reader.text("#status"), [said])
    for wrong in ('{tab:"toString"}', '{profile:"toString"}', "{picks:{}}", "{choices:null}", '{picks:["<b>"]}', '{choices:{"merge.pick":"never"}}', "{more:1}", "{ir:1}", '{editing:"x"}'):
        reader.act(f"write({{...state,...{wrong}}}).then(f=>{{location.hash=f}})")
        time.sleep(0.1)
        same(reader.text("#status"), [NO_STATE])
        reader.type(KERNEL)
    reader.select("example", "a kernel in TileIR and MLIR")
    same(reader.text("#problems"), ["✓ no violation"])


def check_hostile(reader):
    deep = "!0 = " + "!{" * 200000 + "}" * 200000
    for text in (deep, "\0\1\2" * 1000, EVIL, KERNEL.replace("kernel.py", EVIL.replace('"', "'")), "!0 = distinct !{!0}\n" * 3, "define void @f() {\n" + "  ret void, !dbg !0\n" * 5000 + "}\n!0 = !{!0}\n"):
        reader.type(text)
        for tab in ("merge", "lines"):
            reader.tab(tab)
    inert = "document.querySelectorAll('script,img,iframe').length"
    same(reader.page.evaluate(inert), 1)
    for change in ({"note": EVIL}, {"id": EVIL}, {"op": EVIL}, {"clauses": [EVIL]}, {"since": "__proto__"}, {"op": "constructor"}, {"choices": {"__proto__": {EVIL: 1}}}, {EVIL: EVIL},
                   {"args": ["__proto__", EVIL]}, {"expect": {"outcome": "reject", "reason": EVIL}}):
        reader.act("location.hash='vector=merge.line.differ'")
        reader.page.click("#edit-vector")
        reader.type(json.dumps({**json.loads(reader.page.evaluate("state.vector")), **change}))
        same([change, reader.page.evaluate(inert)], [change, 1])
        assert reader.text(".verdict") or reader.text("#output .error"), change
        reader.act("location.hash=''")
    reader.select("example", "a kernel in TileIR and MLIR")
    reader.tab("merge")
    same(reader.text("#problems"), ["✓ no violation"])


def check_limits(reader):
    """A worker that never answers is stopped, and so is one that takes too much memory."""
    reader.page.evaluate("(()=>{const url=engine.url;engine.url=URL.createObjectURL(new Blob(['onmessage=()=>{for(;;);}']));engine.worker.terminate();engine.start();engine.url=url})()")
    reader.type(KERNEL + " ")
    assert "stopped after 4 seconds" in reader.text("#problems")[0], reader.text("#problems")
    reader.type(KERNEL)
    same(reader.text("#problems"), ["✓ no violation"])
    reader.page.evaluate("(()=>{const t=document.getElementById('text');t.value='; '.repeat(3<<20);t.dispatchEvent(new Event('input'))})()")
    assert "longer than 4 MB" in reader.text("#status")[0]
    huge = reader.act("engine.ask([{args:['verify','-'],input:new Uint8Array(140<<20)}]).then(r=>r[0].err+r[0].failure)")
    assert "memory" in huge, huge
    reader.type(KERNEL)
    same(reader.text("#problems"), ["✓ no violation"])


def check_keys(reader):
    reader.page.evaluate("document.querySelector('#tabs [aria-selected=true]').focus()")
    for key, name in (("Home", "merge"), ("ArrowRight", "inline"), ("ArrowRight", "lines"), ("End", "print"), ("ArrowRight", "merge")):
        reader.press(key)
        same(reader.page.evaluate("[document.activeElement.id,document.activeElement.getAttribute('aria-selected')]"), [f"tab-{name}", "true"])
    nameless = "[...document.querySelectorAll('button,input,select,textarea,[role=tab],[role=region],[role=tabpanel]')].filter(e=>!(e.innerText||e.labels?.length||e.ariaLabel||e.getAttribute('aria-labelledby'))).map(e=>e.outerHTML)"
    same(reader.page.evaluate(nameless), [])


def check_peace(reader):
    same(reader.page.complaints(), [])
    same([url for url in reader.page.requests() if not url.startswith("blob:")], [])


def check_looks(browser):
    for width in (1400, 420):
        for scheme in ("light", "dark"):
            reader = Reader(browser, width, 900)
            reader.page.scheme(scheme)
            for view, script in (("merge", "0"), ("mistakes", "open_example('what verify finds')"), ("vector", "open_vector('merge.layer.other-order',null)"), ("choices", "document.getElementById('choose').click()")):
                reader.act(script)
                wide = reader.page.evaluate("document.documentElement.scrollWidth-innerWidth")
                assert wide <= 0, f"{view}: {wide} pixels too wide for {width}"
                reader.page.screenshot(os.path.join(FOLDER, f"playground-{view}-{width}-{scheme}.png"))
                axe.check_axe(reader.page)


def main():
    program = chromium.find()
    if not program:
        sys.exit("tests/browser: there is no Chromium; `.ci/setup browser` installs it")
    subprocess.run(["make", "-s", "--no-print-directory", os.path.relpath(PAGE, ROOT)], cwd=ROOT, check=True)
    os.makedirs(FOLDER, exist_ok=True)
    passed = failed = 0
    browser = chromium.Browser(program)
    try:
        reader = Reader(browser)
        checks = [(check, reader) for check in (check_merge, check_tour, check_focus, check_tabs, check_convert, check_verify, check_compare, check_choices)]
        checks += [(check_share, browser, reader), *((check, reader) for check in (check_vectors, check_fragments, check_hostile, check_limits, check_keys, check_peace))]
        for check, *arguments in [*checks, (check_looks, browser)]:
            try:
                check(*arguments)
                passed += 1
            except Exception:  # a broken page may break the script that looks at it
                failed += 1
                print(f"not ok playground: {check.__name__}:\n{traceback.format_exc(limit=-2)}")
    finally:
        browser.close()
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
