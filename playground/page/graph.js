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

const GAP_Y = 14, LINE = 15, CHARACTER = 6.65, MOST = 300; // boxes

// Longest way from a root; an edge back to a node that is being looked at does not count.
function depths_of(nodes, roots) {
  const depth = new Map(), open = new Set();
  const visit = (node, at) => {
    if (open.has(node) || (depth.get(node) ?? -1) >= at || (depth.size >= MOST && !depth.has(node)))
      return;
    depth.set(node, at);
    open.add(node);
    edges_of(nodes, node).forEach(([, target]) => visit(target, at + 1));
    open.delete(node);
  };
  roots.forEach(root => visit(root, 0));
  return depth;
}

function box_of(nodes, node) {
  const lines = caption(nodes, node), title = `!${node.number} ${node.distinct ? "distinct " : ""}${TITLES[node.class]}`;
  return {node, lines, title, from: [], width: Math.max(...[title, ...lines].map(line => line.length)) * CHARACTER + 16 | 0, height: (lines.length + 1) * LINE + 8};
}

// Boxes in columns; where an edge passes a column there is a gap for it, a box without a node. Edges are lists of boxes: {name, way}.
function arrange(nodes, roots) {
  const depth = depths_of(nodes, roots), boxes = new Map([...depth.keys()].map(node => [node, box_of(nodes, node)])), columns = [], edges = [];
  for (const [node, at] of depth)
    (columns[at] ??= []).push(boxes.get(node));
  for (const [node, at] of depth)
    for (const [name, target] of edges_of(nodes, node)) {
      if (!boxes.has(target))
        continue;
      const way = [boxes.get(node)];
      for (let i = at + 1; i < depth.get(target); i++) {
        const gap = {from: [way.at(-1)], width: 0, height: 6};
        columns[i].push(gap);
        way.push(gap);
      }
      boxes.get(target).from.push(way.at(-1));
      edges.push({name, way: [...way, boxes.get(target)]});
    }
  return {columns, edges};
}

const middle = box => box.y + box.height / 2;

// Each box as near as it can be to the middle of those that lead to it.
function place({columns, edges}) {
  let x = 1;
  columns.forEach((column, i) => {
    for (const box of column)
      box.wish = box.from.length ? box.from.reduce((sum, from) => sum + (from.y === undefined ? 0 : middle(from)), 0) / box.from.length : 0;
    column.sort((a, b) => a.wish - b.wish);
    let y = 1;
    for (const box of column) {
      box.x = x;
      box.y = Math.round(Math.max(y, i ? box.wish - box.height / 2 : 1));
      y = box.y + box.height + GAP_Y;
    }
    const names = edges.filter(edge => columns[i + 1]?.includes(edge.way.at(-1))).map(edge => edge.name.length);
    x += Math.max(...column.map(box => box.width)) + Math.max(0, ...names) * 6 + 24;
    for (const box of column)
      box.end = box.width ? box.x + box.width : box.x + Math.max(...column.map(each => each.width));
  });
}

// The curve of an edge from the right side of one box to the left side of another, along the gaps between.
function curve(way) {
  let path = `M${way[0].end} ${middle(way[0])}`;
  way.slice(1).forEach((box, i) => {
    const last = box === way.at(-1), x1 = way[i].end, x2 = box.x - (last ? 5 : 0), y1 = middle(way[i]), y2 = middle(box), bend = Math.max(20, Math.abs(x2 - x1) / 2);
    path += `C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` + (last ? "" : `H${box.end}`);
  });
  return path;
}

// An SVG element as text; empty when there is nothing to draw.
export function draw(text, label) {
  const nodes = parse(text);
  const roots = [...text.matchAll(/^(?:\S+ |.*: !dbg )?!(\d+)$/gm)].map(match => nodes.get(+match[1])).filter(node => node && node.class in TITLES);
  if (!roots.length)
    return "";
  const picture = arrange(nodes, new Set(roots));
  place(picture);
  const boxes = picture.columns.flat(), width = Math.max(...boxes.map(box => box.x + box.width)) + 2, height = Math.max(...boxes.map(box => box.y + box.height)) + 2;
  const lines = picture.edges.map(({way}) => `<path d="${curve(way)}" marker-end="url(#tip)"/>`);
  const names = new Set(picture.edges.map(({name, way}) => `<text class="edge" x="${way.at(-1).x - 9}" y="${middle(way.at(-1)) - 4}" text-anchor="end">${escape(name)}</text>`));
  const shapes = boxes.filter(box => box.node).map(box => `<g class="box b-${box.node.class}"><rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="4"/>` +
    [box.title, ...box.lines].map((line, i) => `<text class="${i ? "" : "title"}" x="${box.x + 8}" y="${box.y + 15 + i * LINE}">${escape(line)}</text>`).join("") + "</g>");
  return `<svg role="img" aria-label="${escape(label)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs><marker id="tip" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0L6 3L0 6z"/></marker></defs><g class="lines">${lines.join("")}</g>${[...names, ...shapes].join("")}</svg>`;
}
