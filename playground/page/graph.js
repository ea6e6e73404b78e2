// graph.js - nodes as a picture: a column for each step from the roots, and only what tells where code comes from.
import {escape} from "./module.js";

// The lines `!N = ...` of the command's output: number -> {class, distinct, fields, operands}. A field or operand that is a node is {node: N}.
export function parse(text) {
  const nodes = new Map();
  for (const line of text.split("\n")) {
    const [, number, distinct, name, body] = /^!(\d+) = (distinct )?!(\w*)(?:\((.*)\)|\{.*\})$/.exec(line) ?? [];
    if (number === undefined)
      continue;
    const inner = body ?? line.slice(line.indexOf("{") + 1, -1);
    const parts = split(inner).map(part => {
      const [, key, value] = !name ? [null, null, part] : /^(\w+): (.*)$/s.exec(part) ?? [null, null, part];
      const node = /^!(\d+)$/.exec(value)?.[1];
      return {key, value: node === undefined ? value : {node: +node}};
    });
    nodes.set(+number, {number: +number, class: name || "tuple", distinct: Boolean(distinct), parts});
  }
  return nodes;
}

// At the commas that are neither in a string nor between brackets.
function split(text) {
  const parts = [];
  let depth = 0, quoted = false, from = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '"')
      quoted = !quoted;
    else if (!quoted && "({[".includes(c))
      depth++;
    else if (!quoted && ")}]".includes(c))
      depth--;
    else if (!quoted && !depth && c === ",") {
      parts.push(text.slice(from, i).trim());
      from = i + 1;
    }
  }
  return text.trim() ? [...parts, text.slice(from).trim()] : [];
}

const part = (node, key) => node.parts.find(each => each.key === key)?.value;
const unquote = text => typeof text === "string" ? text.replace(/^!?"|"$/g, "") : "";

const TITLES = {tuple: "!{…}", DILocation: "DILocation", DISubprogram: "DISubprogram", DILexicalBlock: "DILexicalBlock",
  DILexicalBlockFile: "DILexicalBlockFile", DIIntermediateScope: "DIIntermediateScope", DILayerLoc: "DILayerLoc", DILayerLocList: "DILayerLocList"};

function file_of(nodes, node) {
  const file = part(node, "file");
  return file?.node === undefined ? "" : unquote(part(nodes.get(file.node) ?? {parts: []}, "filename"));
}

// What a box says below its title.
function caption(nodes, node) {
  const number = key => part(node, key) ?? "";
  if (node.class === "DILocation")
    return [`line ${number("line") || 0}${number("column") ? `, column ${number("column")}` : ""}`, ...(number("atomGroup") ? [`atom ${number("atomGroup")}.${number("atomRank") || 0}`] : [])];
  if (node.class === "DILayerLoc")
    return [`${file_of(nodes, node) || "no file"}:${number("line") || 0}${number("column") ? `:${number("column")}` : ""}`];
  if (node.class === "tuple" || node.class === "DILayerLocList")
    return [];
  const discriminator = number("discriminator");
  return [unquote(part(node, "name")), file_of(nodes, node) + (number("line") ? `:${number("line")}` : ""), discriminator && discriminator !== "0" ? `discriminator ${discriminator}` : ""].filter(Boolean);
}

// The references that are drawn: [label, node]. A pair of kind and location is an edge, not a box.
function edges_of(nodes, node) {
  const edges = [];
  node.parts.forEach(({key, value}, i) => {
    const target = nodes.get(value?.node);
    if (!target)
      return;
    const pair = node.class === "tuple" && target.class === "tuple" && target.parts.length === 2 && typeof target.parts[0].value === "string";
    const place = pair ? nodes.get(target.parts[1].value?.node) : null;
    if (place)
      edges.push([unquote(target.parts[0].value), place]);
    else if (target.class in TITLES)
      edges.push([key ?? (node.class === "tuple" ? (i ? `operand ${i}` : "primary") : unquote(part(target, "kind"))), target]);
  });
  return edges;
}

const GAP_X = 92, GAP_Y = 16, LINE = 15, CHARACTER = 6.7;

// Longest way from a root; an edge back to a node that is being looked at does not count.
function columns_of(nodes, roots) {
  const depth = new Map(), open = new Set();
  const visit = (node, at) => {
    if (open.has(node) || (depth.get(node) ?? -1) >= at || depth.size > 400)
      return;
    depth.set(node, at);
    open.add(node);
    edges_of(nodes, node).forEach(([, target]) => visit(target, at + 1));
    open.delete(node);
  };
  roots.forEach(root => visit(root, 0));
  const columns = [];
  for (const [node, at] of depth)
    (columns[at] ??= []).push(node);
  return columns;
}

function place(nodes, columns) {
  const boxes = new Map();
  let x = 1;
  for (const column of columns) {
    // Each box as near as it can be to the middle of those that lead to it.
    const wish = node => {
      const from = [...boxes.values()].filter(box => edges_of(nodes, box.node).some(([, target]) => target === node));
      return from.length ? from.reduce((sum, box) => sum + box.y, 0) / from.length : 0;
    };
    const wishes = new Map(column.map(node => [node, wish(node)]));
    column.sort((a, b) => wishes.get(a) - wishes.get(b));
    let y = 1, widest = 0;
    for (const node of column) {
      const lines = caption(nodes, node), title = `!${node.number} ${node.distinct ? "distinct " : ""}${TITLES[node.class]}`;
      const box = {node, lines, title, x, y, width: Math.max(...[title, ...lines].map(line => line.length)) * CHARACTER + 18, height: (lines.length + 1) * LINE + 10};
      boxes.set(node, box);
      y += box.height + GAP_Y;
      widest = Math.max(widest, box.width);
    }
    x += widest + GAP_X;
  }
  return boxes;
}

// An SVG element as text; empty when there is nothing to draw.
export function draw(text, label) {
  const nodes = parse(text);
  const roots = [...text.matchAll(/^(?:!dbg|result|results?\S*|primary|location)?:? ?!(\d+)$/gm)].map(match => nodes.get(+match[1])).filter(node => node && node.class in TITLES);
  const columns = columns_of(nodes, new Set(roots));
  if (!columns.length)
    return "";
  const boxes = place(nodes, columns), all = [...boxes.values()];
  const width = Math.max(...all.map(box => box.x + box.width)) + 2, height = Math.max(...all.map(box => box.y + box.height)) + 2;
  let lines = "", shapes = "";
  for (const box of all) {
    for (const [name, target] of edges_of(nodes, box.node)) {
      const to = boxes.get(target);
      if (!to)
        continue;
      const x1 = box.x + box.width, y1 = box.y + box.height / 2, x2 = to.x, y2 = to.y + to.height / 2, bend = Math.max(24, (x2 - x1) / 2);
      lines += `<path d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2 - 5} ${y2}" marker-end="url(#tip)"/>`;
      shapes += `<text class="edge" x="${x2 - 10}" y="${y2 - 4 + (y1 > y2 ? -2 : 0)}" text-anchor="end">${escape(name)}</text>`;
    }
    shapes += `<g class="box b-${box.node.class}"><rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="4"/>` +
      [box.title, ...box.lines].map((line, i) => `<text class="${i ? "" : "title"}" x="${box.x + 9}" y="${box.y + 17 + i * LINE}">${escape(line)}</text>`).join("") + "</g>";
  }
  return `<svg role="img" aria-label="${escape(label)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs><marker id="tip" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0L6 3L0 6z"/></marker></defs><g class="lines">${lines}</g>${shapes}</svg>`;
}
