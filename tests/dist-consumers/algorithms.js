// usage: node algorithms.js VERDICTS.jsonl
// `same` and `expectation` of the package for npm agree with what algorithms.py has asked dloc.
'use strict';

const assert = require('node:assert');
const { readFileSync } = require('node:fs');
const { vectors, expectation, same } = require('dloc-vectors');

const byId = new Map(vectors().map((vector) => [vector.id, vector]));
const lines = readFileSync(process.argv[2], 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));
assert(lines.length > 10000 && lines.some((line) => !line.same));
for (const line of lines) {
  const vector = byId.get(line.id);
  if ('expect' in line) assert.deepStrictEqual(expectation(vector, line.profile), line.expect, line.id);
  else assert.strictEqual(same(vector, line.answer, line.profile), line.same, `${line.profile}: ${line.id}: ${JSON.stringify(line.answer)}`);
}
