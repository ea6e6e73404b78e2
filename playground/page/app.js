// app.js - the page: a state, the questions that it asks, and what is shown of the answers.
import {Engine} from "./engine.js";
import {colour, escape, index_of, is_irlayers, locations} from "./module.js";
import {draw} from "./graph.js";
import {as_module, pretty} from "./vector.js";
import {NO_STATE, read, unpack, write} from "./share.js";

const $ = id => document.getElementById(id);
const LONG = 100000; // characters of a text: beyond, it has no colours
const TOO_LONG = 4 << 20; // beyond, nothing is computed
const SHOWN = 3000; // lines of an output

const state = {ir: "", vector: null, editing: "module", profile: "rfc", other: "", choices: {}, other_choices: {}, tab: "merge", picks: ["", ""]};
let data, engine, sequence = 0, marks = [];

// ---- Questions

function rules(side) {
  const profile = side ? state.other : state.profile, choices = side ? state.other_choices : state.choices;
  return ["--profile", profile, ...Object.entries(choices).flatMap(([name, value]) => ["--choice", `${name}=${value}`])];
}

function sides() {
  return state.other ? [0, 1] : [0];
}

function name_of(side) {
  const changed = Object.entries(side ? state.other_choices : state.choices);
  return [side ? state.other : state.profile, ...changed.map(each => each.join("="))].join(", ");
}

// What a tab asks, for one side; and how it shows what came back.
const tabs = {
  merge: {title: "Merge", args: side => ["merge", "--explain", ...rules(side), "-", ...state.picks.filter(Boolean)], controls: merge_controls, show: show_merge, needs: () => state.picks.some(Boolean), empty: "There is no location to merge: no instruction has a !dbg."},
  inline: {title: "Inline", args: side => ["inline", ...rules(side), "-"], show: show_inline, empty: "No function calls an alwaysinline function that is defined here."},
  lines: {title: "Emit", args: side => ["emit", ...rules(side), "-"], show: show_lines, empty: "A back end writes no directive."},
  records: {title: "Bitcode", args: side => ["encode", ...rules(side), "-"], show: show_text},
  convert: {title: "Convert", args: () => ["convert", "--to", is_irlayers(state.ir) ? "tuple" : "irlayers", "--lossy", "-"], alone: true, controls: convert_controls, show: show_module},
  print: {title: "Locations", args: side => ["print", "--locations", ...rules(side), "-"], show: show_text, empty: "No instruction has a location."},
  vector: {title: "Vector", args: side => ["vector", ...rules(side), "-"], input: () => state.vector.replace(/\n/g, " "), command: () => (/"id": "([^"]+)"/.exec(state.vector) ?? []).slice(1).flatMap(id => ["explain", id]), show: show_vector, hidden: () => state.vector === null},
};

function command_of(args) {
  const words = args.filter((word, i) => !(word === "--profile" && args[i + 1] === "rfc") && !(word === "rfc" && args[i - 1] === "--profile"));
  return ["dloc", ...words].map(word => word === "-" ? "module.ll" : /^[-\w./=+]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`).join(" ");
}

const guard = action => (...args) => Promise.resolve().then(() => action(...args)).catch(error => { $("status").textContent = error.message; });

const recompute = guard(async () => {
  if (edited().length > TOO_LONG) {
    $("status").textContent = `the text is longer than ${TOO_LONG >> 20} MB: that is for the command, not for this page`;
    return;
  }
  const mine = ++sequence, tab = tabs[state.tab], asked = tab.alone ? [0] : sides();
  const ready = !tab.needs || tab.needs();
  const jobs = sides().map(side => ({args: ["verify", "--json", "-W", ...rules(side), "-"], input: state.ir}));
  const of_tab = ready ? asked.map(side => ({args: tab.args(side), input: tab.input ? tab.input() : state.ir})) : [];
  const start = performance.now(), results = await engine.ask([...jobs, ...of_tab]);
  if (results === null || mine !== sequence)
    return;
  show_problems(results.slice(0, jobs.length));
  show_result(tab, asked, of_tab, results.slice(jobs.length));
  $("status").textContent = `${tab.title}: ${results.slice(jobs.length).map(result => result.status ? "refused" : "done").join(", ") || "nothing to do"}; ${state.ir.split("\n").length} lines, ${Math.max(1, Math.round(performance.now() - start))} ms`;
});

// ---- Verify

function remarks(found) {
  const notes = (found.notes ?? []).map(note => `note${note.line ? `, ${note.line}:${note.column}` : ""}: ${note.message}`);
  return [...(found.help ? [`help: ${found.help}`] : []), ...notes].map(text => `<span class="remark">${escape(text)}</span>`).join("");
}

// Whether a profile refuses the module for its form of layers alone: the other form may be what the reader wants to see.
const refuses_form = found => found.some(each => ["shape.tuple-rejected", "unknown.irlayers"].includes(each.reason));

async function convert_module() {
  const [result] = await engine.ask([{args: tabs.convert.args(0), input: state.ir}]) ?? [null];
  if (result?.out)
    state.ir = result.out;
  pick_locations();
}

function show_problems(results) {
  const html = results.map((result, side) => {
    const lines = result.out.split("\n").filter(line => line.startsWith("{")), found = lines.slice(0, 1000).map(line => JSON.parse(line));
    const told = [result.failure, result.err.replace(/^dloc: /gm, "").replace(/^<stdin>:.*\n?/gm, "").trim()].filter(Boolean);
    if (!side)
      marks = found.filter(each => each.line).map(each => ({...each, level: each.severity === "warning" ? "warning" : "error"}));
    const warnings = lines.filter(line => line.includes('"severity":"warning"')).length, errors = lines.length - warnings;
    const verdict = told.length ? told.map(text => `<span class="error">${escape(text)}</span>`).join(" ") :
      [errors ? `<span class="error">✗ ${errors} violation${errors > 1 ? "s" : ""}</span>` : '<span class="fine">✓ no violation</span>', warnings ? `<span class="warning">${warnings} warning${warnings > 1 ? "s" : ""}</span>` : ""].filter(Boolean).join(", ");
    const list = found.slice(0, 200).map(each => `<li><button type="button" data-line="${each.line ?? ""}" data-column="${each.column ?? ""}"><span class="where">${each.line ? `${each.line}:${each.column}` : "module"}</span>` +
      `<span class="${each.severity === "warning" ? "warning" : "error"}">${escape(each.severity)}:</span> ${escape(each.message)}<span class="reason">${escape([...new Set([each.reason, each.clause])].filter(Boolean).join(" · "))}</span>${remarks(each)}</button></li>`);
    return `<span>${state.other ? `<span class="faint">${escape(name_of(side))}:</span> ` : ""}${verdict}</span>${refuses_form(found) ? `<button type="button" data-form="1">Show the same module with ${is_irlayers(state.ir) ? "tuples" : "lists of layers"}</button>` : ""}${list.length ? `<ul>${list.join("")}</ul>` : " "}`;
  });
  set($("problems"), html.join(" "));
  colour_text();
}

// ---- Results

function set(element, html) {
  if (element.shown !== html)
    element.innerHTML = element.shown = html;
}

function show_result(tab, asked, jobs, results) {
  const pick = document.activeElement.dataset.pick, wanted = document.activeElement.dataset.do;
  set($("controls"), tab.controls ? tab.controls() : "");
  if (pick ?? wanted)
    $("controls").querySelector(pick ? `[data-pick="${pick}"]` : `[data-do=${wanted}]`)?.focus();
  if (!results.length) {
    set($("output"), `<div class="columns"><div><p class="faint">${escape(tab.empty)}</p></div></div>`);
    return;
  }
  const html = results.map((result, i) => {
    const other = results.length > 1 ? results[1 - i] : null, command = tab.command ? tab.command() : jobs[i].args;
    const wrong = result.failure || (result.status && (!result.out || result.err));
    const told = wrong ? `<pre class="error">${escape(result.failure ?? (result.err || result.out)).replace(/&lt;stdin&gt;/g, "module.ll").replace(/^dloc: /, "").trim()}</pre>` : "";
    const body = result.out ? tab.show(result.out, other?.out ?? null, asked[i]) : told ? "" : `<p class="faint">${escape(tab.empty ?? "")}</p>`;
    return `<div>${results.length > 1 ? `<h2>${escape(name_of(asked[i]))}</h2>` : ""}${command.length ? `<pre class="command">${escape(command_of(command))}</pre>` : ""}${told}${body}</div>`;
  });
  set($("output"), `<div class="columns ${html.length > 1 ? "two" : ""}">${html.join("")}</div>`);
}

function differing(lines, other) {
  const there = other === null ? null : new Set(other.split("\n"));
  return line => there && !there.has(line) ? " differs" : "";
}

function show_text(out, other) {
  const lines = out.replace(/\n$/, "").split("\n"), mark = differing(lines, other);
  const more = lines.length > SHOWN ? `<p class="faint">and ${lines.length - SHOWN} more lines</p>` : "";
  return `<pre class="out" tabindex="0">${lines.slice(0, SHOWN).map(line => `<span class="line${mark(line)}">${colour(line)}</span>`).join("")}</pre>${more}`;
}

function show_inline(out, other) {
  return picture(out, "The locations of the calls and of what they become") + show_text(out, other);
}

function show_module(out) {
  return show_text(out, null);
}

function show_lines(out, other) {
  const lines = out.trim().split("\n"), mark = differing(lines, other);
  const rows = lines.slice(0, SHOWN).map(line => [line, line.split("\t")]);
  const directives = rows.filter(([, cells]) => cells[0] !== "text" || cells.length !== 4 || !/^\d+$/.test(cells[3]));
  const texts = rows.filter(row => !directives.includes(row));
  const table = (head, list) => list.length ? `<table><thead><tr>${head.map(cell => `<th scope="col">${cell}</th>`).join("")}</tr></thead><tbody>${list.map(([line, cells]) => `<tr class="${mark(line)}">${cells.map(cell => `<td class="mono">${escape(cell)}</td>`).join("")}</tr>`).join("")}</tbody></table>` : "";
  return `<h3>Directives</h3>${table(["function", "instruction", "what", "place"], directives)}${texts.length ? "<h3>Embedded texts</h3>" : ""}${table(["", "kind", "file", "bytes"], texts)}`;
}

function picture(graph, label) {
  const svg = draw(graph, label);
  return svg ? `<div class="picture" tabindex="0" role="region" aria-label="${escape(label)}">${svg}</div>` : "";
}

// The steps of a merge by what they are about: the primary, each layer, and the layers together.
function by_channel(steps) {
  const groups = [["primary", []]];
  for (const step of steps) {
    const kind = /^merge\.layer\.pair-by-kind: .*"(.*)"$/.exec(step)?.[1];
    const together = /^merge\.(layer\.one-sided|layer\.order|tuple|irlayers)/.test(step);
    const channel = kind !== undefined ? `layer ${kind}` : together ? "the layers together" : groups.at(-1)[0];
    if (channel !== groups.at(-1)[0])
      groups.push([channel, []]);
    groups.at(-1)[1].push(step);
  }
  return groups.length > 1 ? groups.filter(([, rows]) => rows.length) : [["", steps]];
}

function show_trace(steps, other) {
  const there = other && new Set(other);
  const row = step => {
    const [, anchor, decision] = /^([^:]*): (.*)$/.exec(step) ?? [null, "", step];
    return `<li class="${there && !there.has(step) ? "differs" : ""}"><code title="${escape(data.clauses[anchor] ?? "")}">${escape(anchor)}</code> ${escape(decision)}</li>`;
  };
  return steps.length ? `<h3>Why</h3>${by_channel(steps).map(([channel, rows]) => `${channel ? `<h4>${escape(channel)}</h4>` : ""}<ol class="trace">${rows.map(row).join("")}</ol>`).join("")}` : "";
}

function show_merge(out, other) {
  const parts = text => [text.split("\n").filter(line => line && !line.startsWith("; ")), text.split("\n").filter(line => line.startsWith("; ")).map(line => line.slice(2))];
  const [graph, steps] = parts(out), [other_graph, other_steps] = other === null ? [null, null] : parts(other);
  const same = other_graph && graph.join() === other_graph.join();
  return `${other_graph ? `<p class="${same ? "fine" : "warning"}">${same ? "the same result" : "another result"}</p>` : ""}${picture(graph.join("\n"), "The merged location")}${show_text(graph.join("\n"), other_graph && other_graph.join("\n"))}${show_trace(steps, other_steps)}`;
}

function option(value, text, chosen) {
  return `<option value="${escape(value)}"${value === chosen ? " selected" : ""}>${escape(text)}</option>`;
}

function merge_controls() {
  const list = new Map(locations(state.ir).slice(0, 2000).map(each => [each.node, each]));
  const options = chosen => option("", "nothing", chosen) + option("none", "none: no location", chosen) + [...list.values()]
    .map(each => option(each.node, `${each.node}  ${each.function ? `${each.function}: ` : ""}${each.text}`.slice(0, 80), chosen)).join("");
  return state.picks.map((pick, i) => `<label>${["First", "Second", "Third"][i] ?? "Next"} <select class="mono" data-pick="${i}">${options(pick)}</select></label>`).join("") +
    (state.picks.length < 6 ? '<button type="button" data-do="more" aria-label="one more location" title="one more location">+</button>' : "") + '<button type="button" data-do="swap" aria-label="reverse the order" title="reverse the order">⇄</button>';
}

function convert_controls() {
  return `<span>To the form <strong>${is_irlayers(state.ir) ? "tuple" : "irlayers"}</strong></span><button type="button" data-do="adopt">Edit the result</button>`;
}

// ---- Vectors

function list_names(names) {
  return names.map(name => `<code>${escape(name)}</code>`).join(", ");
}

function show_answer(text, label) {
  return picture(text, label) + show_text(text, null);
}

function show_vector(out, other, side) {
  const told = JSON.parse(out), answer = told.answers[told.answer], expected = told.answers[told.expected];
  let document = {};
  try {
    document = JSON.parse(state.vector);
  } catch { /* the command has said so */ }
  const verdict = expected === undefined ? '<span class="faint">○ nobody derived an expectation for these rules</span>' :
    told.answer === told.expected ? '<span class="fine">✓ as expected</span>' : '<span class="error">✗ not as expected</span>';
  const groups = told.answers.map((_, i) => told.profiles.filter(each => each.answer === i).map(each => each.name));
  const profiles = groups.map((names, i) => names.length ? `<tr><td>${list_names(names)}</td><td>${i === told.answer ? "this answer" : `<details><summary>another answer</summary>${show_text(told.answers[i], answer)}</details>`}</td></tr>` : "").join("");
  const choices = told.choices.map(choice => `<tr><td><code title="${escape(data.choices[choice.name]?.question ?? "")}">${escape(choice.name)}</code></td><td>${choice.alternatives.map(each =>
    `${each.answer === told.answer ? `<code>${escape(each.name)}</code>: this answer` : `<details><summary><code>${escape(each.name)}</code>: another answer</summary>${show_text(told.answers[each.answer] ?? "", answer)}</details>`}`).join("<br>").replace(/<\/details><br>/g, "</details>")}</td></tr>`).join("");
  const head = side ? "" : `<p>${escape(document.note ?? "")}</p><ul>${(document.clauses ?? []).map(anchor => `<li><code>${escape(anchor)}</code> <span class="faint">${escape(data.clauses[anchor] ?? "")}</span></li>`).join("")}</ul>`;
  return `${head}<p class="verdict">${verdict}</p>${show_answer(answer ?? "", "What the model answers")}` +
    (expected !== undefined && told.answer !== told.expected ? `<h3>Expected</h3>${show_text(expected, answer)}` : "") + show_trace((told.trace ?? "").split("\n").filter(Boolean), null) +
    `<h3>By profile</h3><table><tbody>${profiles}</tbody></table>${choices ? `<h3>Choices that make a difference here</h3><table><tbody>${choices}</tbody></table>` : ""}`;
}

async function open_vector(id, profile) {
  const vector = data.vectors.find(each => each.id === id);
  if (!vector)
    throw new Error(`there is no vector ${id}`);
  const {name, choices} = typeof vector.since === "string" ? {name: vector.since, choices: vector.with ?? {}} : {name: "rfc", choices: {}};
  const document = as_module(vector);
  const [result] = document ? await engine.ask([{args: ["module", "-"], input: JSON.stringify(document)}]) ?? [null] : [null];
  const found = result?.status === 0 ? `; ${vector.id}: ${vector.note}\n${result.out}` : `; ${vector.id}\n; The input of this vector is no module: the tab "Vector" shows it.\n`;
  Object.assign(state, {ir: found, vector: pretty(vector), editing: "module", profile: profile ?? name, choices: profile ? {} : {...choices}, other: "", other_choices: {}, tab: "vector"});
  pick_locations();
  show_state();
}

function pick_locations() {
  const of_code = locations(state.ir), nodes = [...new Set(of_code.map(each => each.node))];
  state.picks = nodes.length > 1 ? nodes.slice(0, 2) : [nodes[0] ?? "", nodes[0] ?? ""];
}

// ---- The editor

function edited() {
  return state.editing === "vector" ? state.vector : state.ir;
}

function colour_text() {
  const text = edited(), of_module = state.editing === "module", wrong = new Set(of_module ? marks.map(mark => mark.line) : []);
  const plain = text.length > LONG;
  $("editor").classList.toggle("plain", plain);
  document.querySelector(".colours").innerHTML = (plain ? "" : colour(text, of_module ? marks : [])) + "\n";
  const count = text.split("\n").length;
  set(document.querySelector(".gutter"), Array.from({length: count}, (_, i) => wrong.has(i + 1) ? `<b>${i + 1}</b>` : i + 1).join("\n"));
  $("text").style.height = `${count * 19 + 16}px`;
  $("text").style.width = plain ? `${Math.max(...text.split("\n").map(line => line.length)) * 8 + 40}px` : "";
}

function show_state() {
  $("profile").value = state.profile;
  $("other").value = state.other;
  const changed = Object.keys(state.choices).length + (state.other ? Object.keys(state.other_choices).length : 0);
  $("choose").textContent = changed ? `Choices (${changed} changed)` : "Choices";
  $("edit-vector").hidden = state.vector === null;
  for (const name of ["module", "vector"])
    $(`edit-${name}`).setAttribute("aria-selected", String(state.editing === name));
  $("editor").setAttribute("aria-labelledby", `edit-${state.editing}`);
  $("text").setAttribute("aria-label", state.editing === "vector" ? "The vector" : "Text of the module");
  if ($("text").value !== edited())
    $("text").value = edited();
  if (tabs[state.tab].hidden?.())
    state.tab = "merge";
  set($("tabs"), Object.entries(tabs).filter(([, tab]) => !tab.hidden?.()).map(([name, tab]) =>
    `<button role="tab" type="button" id="tab-${name}" aria-controls="result" aria-selected="${name === state.tab}" tabindex="${name === state.tab ? 0 : -1}">${tab.title}</button>`).join(""));
  $("result").setAttribute("aria-labelledby", `tab-${state.tab}`);
  colour_text();
  recompute();
}

function go_to(line, column) {
  state.editing = "module";
  show_state();
  const lines = state.ir.split("\n");
  const offset = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + index_of(lines[line - 1], column);
  $("text").focus();
  $("text").setSelectionRange(offset, offset);
  $("editor").scrollTop = Math.max(0, (line - 6) * 19);
}

// ---- Choices

function show_choices() {
  const filter = $("filter").value.trim().toLowerCase(), asked = sides();
  const select = (name, choice, side) => {
    const own = (side ? state.other_choices : state.choices)[name], base = choice.profiles[side ? state.other : state.profile];
    return `<td><select aria-label="${escape(name)}, ${escape(side ? state.other : state.profile)}" data-choice="${escape(name)}" data-side="${side}">${Object.entries(choice.alternatives).map(([each]) => option(each, each + (each === base ? " (profile)" : ""), own ?? base)).join("")}</select></td>`;
  };
  const rows = Object.entries(data.choices).filter(([name, choice]) => !filter || `${name} ${choice.question} ${Object.keys(choice.alternatives).join(" ")}`.toLowerCase().includes(filter))
    .map(([name, choice]) => `<tr class="${asked.some(side => name in (side ? state.other_choices : state.choices)) ? "changed" : ""}"><td><code>${escape(name)}</code>${escape(choice.question)}</td>${asked.map(side => select(name, choice, side)).join("")}</tr>`);
  document.querySelector("#choices thead").innerHTML = `<tr><th scope="col">${rows.length} choice${rows.length === 1 ? "" : "s"}</th>${asked.map(side => `<th scope="col">${escape(side ? state.other : state.profile)}</th>`).join("")}</tr>`;
  document.querySelector("#choices tbody").innerHTML = rows.join("");
}

function change_choice({target}) {
  const {choice, side} = target.dataset, chosen = side === "1" ? state.other_choices : state.choices;
  if (target.value === data.choices[choice].profiles[side === "1" ? state.other : state.profile])
    delete chosen[choice];
  else
    chosen[choice] = target.value;
  target.closest("tr").classList.toggle("changed", choice in state.choices || choice in state.other_choices);
  show_state();
}

// ---- Hands

function choose_tab(name) {
  state.tab = name;
  show_state();
  $(`tab-${name}`).focus();
}

function on_tab_key(event) {
  const names = [...$("tabs").children].map(tab => tab.id.slice(4)), at = names.indexOf(state.tab);
  const to = {ArrowRight: at + 1, ArrowLeft: at - 1 + names.length, Home: 0, End: names.length - 1}[event.key];
  if (to !== undefined) {
    event.preventDefault();
    choose_tab(names[to % names.length]);
  }
}

async function open_file(file) {
  if (file.size > 2 * TOO_LONG)
    throw new Error(`${file.name} is too large for the page`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const is_bitcode = (bytes[0] === 0x42 && bytes[1] === 0x43) || (bytes[0] === 0xde && bytes[1] === 0xc0);
  if (is_bitcode) {
    const [result] = await engine.ask([{args: ["print", "-"], input: bytes}]) ?? [null];
    if (!result)
      return;
    if (result.status !== 0)
      throw new Error(`${file.name}: ${result.failure ?? result.err}`);
    state.ir = result.out;
  } else
    state.ir = new TextDecoder().decode(bytes);
  Object.assign(state, {vector: null, editing: "module"});
  pick_locations();
  show_state();
}

function open_example(name) {
  const example = data.examples.find(each => each.name === name);
  Object.assign(state, {ir: example.text, vector: null, editing: "module", picks: [...example.picks], tab: example.tab});
  $("example").value = name;
  $("told").textContent = example.told;
  for (const step of $("tour").querySelectorAll("button"))
    step.setAttribute("aria-pressed", String(step.dataset.example === name));
  if (example.profile)
    Object.assign(state, {profile: example.profile, choices: {}});
  if (!example.picks.length)
    pick_locations();
  show_state();
}

// Whether what a link holds has the form of the state, and names what there is.
function is_state(asked) {
  const is_text = value => typeof value === "string", has = Object.hasOwn;
  const is_choices = chosen => chosen && typeof chosen === "object" && Object.entries(chosen).every(([name, value]) => has(data.choices, name) && is_text(value) && has(data.choices[name].alternatives, value));
  return Object.keys(asked).every(key => has(state, key)) && is_text(asked.ir) && (asked.vector === null || is_text(asked.vector)) && ["module", "vector"].includes(asked.editing) &&
    has(data.profiles, asked.profile) && (asked.other === "" || has(data.profiles, asked.other)) && is_choices(asked.choices) && is_choices(asked.other_choices) && has(tabs, asked.tab) &&
    Array.isArray(asked.picks) && asked.picks.every(pick => is_text(pick) && /^(|none|!\d+)$/.test(pick));
}

async function open_fragment() {
  const asked = await read(location.hash);
  if (!asked)
    return;
  if ("vector" in asked && !("ir" in asked)) {
    if (asked.profile !== null && !Object.hasOwn(data.profiles, asked.profile))
      throw new Error(`there is no profile ${asked.profile}`);
    await open_vector(asked.vector, asked.profile);
  } else {
    if (!is_state(asked))
      throw new Error(NO_STATE);
    Object.assign(state, asked);
    show_state();
  }
}

async function share() {
  const fragment = await write(state);
  history.replaceState(null, "", fragment);
  await navigator.clipboard?.writeText(location.href).catch(() => {});
  $("status").textContent = "the address of this page now holds what you see; it has been copied where the browser allows that";
}

function listen() {
  $("text").addEventListener("input", () => {
    state[state.editing === "vector" ? "vector" : "ir"] = $("text").value;
    colour_text();
    recompute();
  });
  $("text").addEventListener("scroll", () => { $("text").scrollTop = $("text").scrollLeft = 0; });
  $("tabs").addEventListener("click", event => event.target.id && event.target.id !== "tabs" && choose_tab(event.target.id.slice(4)));
  $("tabs").addEventListener("keydown", on_tab_key);
  for (const name of ["module", "vector"])
    $(`edit-${name}`).addEventListener("click", () => { state.editing = name; show_state(); });
  $("profile").addEventListener("change", () => { state.profile = $("profile").value; state.choices = {}; show_state(); });
  $("other").addEventListener("change", () => { state.other = $("other").value; state.other_choices = {}; show_state(); });
  $("tour").addEventListener("click", event => event.target.dataset.example && open_example(event.target.dataset.example));
  $("example").addEventListener("change", () => { open_example($("example").value); });
  $("vector").addEventListener("change", guard(() => $("vector").value && open_vector($("vector").value.trim(), null)));
  $("file").addEventListener("change", guard(() => $("file").files[0] && open_file($("file").files[0])));
  $("problems").addEventListener("click", guard(async event => {
    const {line, column, form} = event.target.closest("button")?.dataset ?? {};
    if (line)
      go_to(+line, +column);
    if (form) {
      await convert_module();
      show_state();
    }
  }));
  $("controls").addEventListener("change", event => { state.picks[event.target.dataset.pick] = event.target.value; show_state(); });
  $("controls").addEventListener("click", guard(async event => {
    const wanted = event.target.dataset.do;
    if (wanted === "more")
      state.picks.push(state.picks.at(-1));
    else if (wanted === "swap")
      state.picks.reverse();
    else if (wanted === "adopt") {
      await convert_module();
      if (is_irlayers(state.ir))
        Object.assign(state, {profile: "llvm-24", choices: {}});
      else if (data.choices["metadata.irlayers"]?.profiles[state.profile] === "known")
        Object.assign(state, {profile: "rfc", choices: {}});
    } else
      return;
    show_state();
  }));
  $("share").addEventListener("click", guard(share));
  $("choose").addEventListener("click", () => { show_choices(); $("choices").showModal(); });
  $("filter").addEventListener("input", show_choices);
  $("reset").addEventListener("click", () => { state.choices = {}; state.other_choices = {}; show_choices(); show_state(); });
  document.querySelector("#choices tbody").addEventListener("change", change_choice);
  addEventListener("hashchange", guard(open_fragment));
}

async function start(parts) {
  data = JSON.parse(new TextDecoder().decode(await unpack(parts.data, "gzip")));
  engine = new Engine(await WebAssembly.compile(await unpack(parts.wasm, "gzip")), parts.worker);
  $("tour").innerHTML += data.examples.map((each, i) => ` <button type="button" data-example="${escape(each.name)}" aria-pressed="false">${i + 1}. ${escape(each.name)}</button>`).join("");
  $("intro").open = matchMedia("(min-width: 60rem)").matches && !location.hash;
  $("example").innerHTML = data.examples.map(each => option(each.name, each.name)).join("");
  $("profile").innerHTML = Object.keys(data.profiles).map(name => option(name, name)).join("");
  $("other").innerHTML = option("", "nothing") + $("profile").innerHTML;
  $("ids").innerHTML = data.vectors.map(each => `<option value="${escape(each.id)}">`).join("");
  listen();
  open_example(data.examples[0].name);
  await open_fragment();
}

guard(start)(window.PARTS);
