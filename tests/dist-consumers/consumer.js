// A consumer of the package for npm: its vectors are those of the release, and each name in a vector stands in the tables.
'use strict';

const assert = require('node:assert');
const { readFileSync } = require('node:fs');
const { vectors, tables, schema } = require('dloc-vectors');

const lines = readFileSync(process.argv[2], 'utf8').trimEnd().split('\n');
assert.deepStrictEqual(vectors(), lines.map((line) => JSON.parse(line)));

const names = (table, key) => new Set(tables()[table].map((line) => line[key]));
const [clauses, ops, profiles, reasons] = [
  names('clauses', 'clause'),
  names('ops', 'op'),
  names('profiles', 'profile'),
  names('reasons', 'reason'),
];
const choices = new Map(tables().choices.map((line) => [line.choice, line]));
const isKnown = (expect) => expect.outcome === 'ok' || reasons.has(expect.reason);
for (const { id, clauses: tested, op, since, expect, choices: listed = {} } of vectors()) {
  assert(tested.every((clause) => clauses.has(clause)) && ops.has(op) && profiles.has(since) && isKnown(expect), id);
  for (const [choice, alternatives] of Object.entries(listed))
    for (const [name, other] of Object.entries(alternatives))
      assert(choices.get(choice).alternatives[name] && isKnown(other), id);
}
assert.deepStrictEqual(schema('vector').$defs.reason.enum, [...reasons]);
