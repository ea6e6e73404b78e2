// vector.js - vectors as text that one edits, and as a module with an instruction for each location.

// One entry of a map or list a line where the whole does not fit into one.
export function pretty(value, indent = "", width = 100) {
  if (typeof value !== "object" || value === null)
    return JSON.stringify(value);
  const inner = indent + "  ", [open, close] = Array.isArray(value) ? "[]" : "{}";
  const parts = room => Object.entries(value).map(([key, item]) => (open === "[" ? "" : JSON.stringify(key) + ": ") + pretty(item, inner, room));
  const flat = open + parts(Infinity).join(", ") + close;
  return indent.length + flat.length <= width ? flat : `${open}\n${parts(width).map(part => inner + part).join(",\n")}\n${indent}${close}`;
}

const LOCATIONS = new Set(["DILocation", "composite", "tuple"]);

// The names of the locations in the args of an op, in order.
function names_in(args, nodes, found = []) {
  if (typeof args === "string" && LOCATIONS.has(nodes[args]?.node))
    found.push(args);
  else if (args && typeof args === "object")
    Object.values(args).forEach(item => names_in(item, nodes, found));
  return found;
}

function primary_of(nodes, name) {
  const node = nodes[name];
  return node?.node === "composite" ? node.primary : node?.node === "tuple" ? node.operands?.[0] : name;
}

// The subprogram above a location, as LLVM finds it: outward along inlinedAt, then up the scopes.
function subprogram_of(nodes, location) {
  let name = primary_of(nodes, location);
  for (let steps = 0; nodes[name]?.inlinedAt && steps < 1000; steps++)
    name = nodes[name].inlinedAt;
  name = nodes[name]?.scope;
  for (let steps = 0; nodes[name] && nodes[name].node !== "DISubprogram" && steps < 1000; steps++)
    name = nodes[name].scope;
  return nodes[name] ? name : null;
}

function define(name, subprogram, instructions, extra = {}) {
  return {name, ...(subprogram ? {subprogram} : {}), ...extra, instructions};
}

function calls(vector) {
  const args = [vector.args].flat(), nodes = vector.nodes ?? {};
  return args.flatMap((call, i) => {
    const callee = call.callee.map(each => typeof each === "string" || each === null ? {location: each} : each);
    const inside = callee.map(each => each.location).find(Boolean), outside = call.call ? subprogram_of(nodes, call.call) : null;
    const instructions = callee.map(each => ({...(each.location ? {dbg: each.location} : {}), ...(each.instruction === "static-alloca" ? {alloca: true} : {})}));
    return [define(`caller${i || ""}`, outside, [{call: `callee${i || ""}`, ...(call.call ? {dbg: call.call} : {})}], call["no-inline-line-tables"] ? {"no-inline-line-tables": true} : {}),
      define(`callee${i || ""}`, call["callee-subprogram"] === false || !inside ? null : subprogram_of(nodes, inside), instructions, {"always-inline": true})];
  });
}

// The module that holds what a vector is about, as a vector; null when it is about something else.
export function as_module(vector) {
  const nodes = vector.nodes ?? {}, own = vector.module ?? {};
  let functions = own.functions;
  if (!functions && vector.op === "inline")
    functions = calls(vector);
  else if (!functions) {
    const by = new Map();
    for (const name of names_in(vector.args, nodes))
      by.set(subprogram_of(nodes, name), [...by.get(subprogram_of(nodes, name)) ?? [], name]);
    functions = [...by].map(([subprogram, names], i) => define(subprogram ?? `f${i}`, subprogram, names.map(dbg => ({dbg}))));
  }
  if (!functions.length && !own.named)
    return null;
  return {id: vector.id, clauses: vector.clauses, level: vector.level, since: vector.since, ...(vector.with ? {with: vector.with} : {}), needs: vector.needs, nodes,
    op: "verify", module: {...own, functions}, expect: {outcome: "ok"}};
}
