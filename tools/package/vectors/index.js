// The golden vectors of dloc, and the tables of its specification. Each call gives objects of its own.
'use strict';

const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const read = (name) => readFileSync(join(__dirname, name), 'utf8');

exports.vectors = () => read('vectors.jsonl').trimEnd().split('\n').map((line) => JSON.parse(line));
exports.tables = () => JSON.parse(read('tables.json'));
exports.schema = (name) => JSON.parse(read(`${name}.schema.json`));
