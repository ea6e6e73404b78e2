// The golden vectors of dloc, the tables of its specification, and what a runner needs: which expectation holds, and whether an answer is the same. Each call of the
// first three gives objects of its own.
'use strict';

const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const read = (name) => readFileSync(join(__dirname, name), 'utf8');

exports.vectors = () => read('vectors.jsonl').trimEnd().split('\n').map((line) => JSON.parse(line));
exports.tables = () => JSON.parse(read('tables.json'));
exports.schema = (name) => JSON.parse(read(`${name}.schema.json`));

// ---- Which expectation: FORMAT.md has the rules

const once = (make) => {
  let made;
  return () => (made ??= make());
};
const tables = once(exports.tables);
const shapes = once(() => exports.schema('vector').$defs);
const taken = (profile) => Object.fromEntries(tables().choices.map((line) => [line.choice, line.profiles[profile]]));
const takenBy = once(() => new Map(tables().profiles.map(({ profile }) => [profile, taken(profile)])));

function expectation(vector, profile) {
  const takes = takenBy().get(profile);
  const since = takenBy().get(vector.since);
  if (!takes) throw new RangeError(`unknown profile '${profile}'`);
  const { needs = [], choices = {}, profiles = {}, with: fixed = {} } = vector;
  if (Object.entries(fixed).some(([choice, alternative]) => takes[choice] !== alternative)) return null;
  const lost = (need, choice, known) => needs.includes(need) && takes[choice] !== known && since[choice] === known;
  const isLost = lost('layers', 'shape.tuple', 'accept') || lost('irlayers', 'metadata.irlayers', 'known');
  const bases = new Map(tables().profiles.map((line) => [line.profile, line.base]));
  for (let base = profile; base; base = bases.get(base))
    if (profiles[base] && Object.keys(choices).every((choice) => takes[choice] === takenBy().get(base)[choice])) return profiles[base];
  for (const [choice, alternatives] of Object.entries(choices))
    if (alternatives[takes[choice]] && (choice === 'shape.tuple' || !isLost)) return alternatives[takes[choice]];
  return isLost ? null : vector.expect;
}

// ---- Whether an answer is the same: names of nodes do not count, sharing does

const nodeFields = new Set(
  ('scope file unit inlinedAt type baseType declaration retainedNodes elements enums retainedTypes globals imports macros templateParams thrownTypes ' +
    'containingType entity var expr extraData annotations types nodes vtableHolder dataLocation associated allocated specification stringLength ' +
    'stringLengthExpression stringLocationExpression primary').split(' '),
);
const isReference = (kind, field) =>
  (nodeFields.has(field) && !(field === 'type' && kind.startsWith('DIMacro'))) || (field === 'discriminator' && kind === 'DICompositeType');
const isMap = (content) => typeof content === 'object' && content !== null && !Array.isArray(content);
const text = (scalar) => (scalar === null || scalar === undefined ? null : String(scalar));
const own = (object, key) => (Object.hasOwn(object, key) ? object[key] : undefined);

/** The nodes of a vector and of a value; a uniqued node is its content, a distinct one its name. */
class Graph {
  constructor(vector, value) {
    this.nodes = new Map([...Object.entries(vector.nodes ?? {}), ...Object.entries(value.nodes ?? {})]);
    this.numbers = new Map();
    this.contents = new Map();
  }

  /** Equal of two names exactly when they are one node. */
  identity = (name) => {
    if (!this.contents.has(name)) {
      this.contents.set(name, name); // of a cycle, and of a distinct node
      const node = this.nodes.get(name);
      if (!node.distinct && !node.self) this.contents.set(name, JSON.stringify(this.fields(node, this.identity)));
    }
    return this.contents.get(name);
  };

  /** The number of a node in the order of visiting, and where it comes first its fields. */
  number = (name) => {
    const identity = this.identity(name);
    if (this.numbers.has(identity)) return this.numbers.get(identity);
    const number = this.numbers.size;
    this.numbers.set(identity, number);
    return [number, this.fields(this.nodes.get(name), this.number)];
  };

  fields(node, refer) {
    const shown = [];
    for (const field of Object.keys(node).sort()) {
      let content = node[field];
      if (field === 'layers') content = content.map((layer) => [text(layer.kind), this.operand(layer.location, refer, true)]);
      else if (Array.isArray(content)) content = content.map((item) => this.operand(item, refer, node.node === 'tuple'));
      else content = this.operand(content, refer, isReference(node.node, field));
      if (![null, '0', '', 'false'].includes(content) || ['string', 'constant'].includes(node.node)) shown.push([field, content]);
    }
    return shown;
  }

  operand(content, refer, reference) {
    if (isMap(content)) {
      const [[form, inner]] = Object.entries(content);
      return form === 'name' ? refer(text(inner)) : { [form]: text(inner) };
    }
    return reference && this.nodes.has(text(content)) ? refer(text(content)) : text(content);
  }

  /** A value by the schema of its operation, which says where names of nodes stand. */
  value(content, outer) {
    const shape = this.shape(content, outer);
    if (shape === 'reference') return content === null ? null : this.number(text(content));
    if (shape === 'wrapped') return this.operand(content, this.number, true);
    if (Array.isArray(content)) return content.map((item) => this.value(item, shape?.items ?? {}));
    if (!isMap(content)) return text(content);
    const keys = Object.keys(content).filter((key) => key !== 'nodes' && content[key] !== false);
    return keys.sort().map((key) => [key, this.value(content[key], own(shape?.properties ?? {}, key) ?? {})]);
  }

  /** Of alternatives the one that the content has. */
  shape(content, shape) {
    const name = shape.$ref?.split('/').at(-1);
    if (name === 'reference' || name === 'wrapped') return (name === 'wrapped') === isMap(content) ? name : null;
    if (name) return this.shape(content, shapes()[name]);
    for (const one of shape.anyOf ?? []) {
      const found = this.shape(content, one);
      if (typeof found === 'string' || (found && fits(content, found))) return found;
    }
    return shape;
  }
}

function fits(content, shape) {
  if (!isMap(content)) return 'items' in shape === Array.isArray(content);
  return Object.keys(content).every((key) => Object.hasOwn(shape.properties ?? {}, key)) && (shape.required ?? []).every((key) => Object.hasOwn(content, key));
}

const canonical = (vector, value) => JSON.stringify(new Graph(vector, value).value(value, { $ref: `#/$defs/value-of-${vector.op}` }));

function same(vector, answer, profile = vector.since) {
  const wanted = expectation(vector, profile);
  if (!wanted) return false;
  if (wanted.outcome === 'reject') {
    const severity = wanted.severity ?? tables().reasons.find((line) => line.reason === wanted.reason).severity;
    return ['reject', 'degraded', 'refused'].includes(answer.outcome) && answer.reason === wanted.reason && (answer.severity ?? severity) === severity;
  }
  if (answer.outcome !== 'ok' || !wanted.value) return answer.outcome === 'ok';
  try {
    return canonical(vector, answer.value ?? {}) === canonical(vector, wanted.value);
  } catch (error) {
    if (error instanceof TypeError) return false; // a value of another shape, or a name that is no node's
    throw error;
  }
}

exports.expectation = expectation;
exports.same = same;
