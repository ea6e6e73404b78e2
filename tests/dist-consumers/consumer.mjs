// The package for npm as a module.
import assert from 'node:assert';
import { tables, vectors } from 'dloc-vectors';

assert(vectors().length > 1000 && /^\d+[.]\d+[.]\d+$/.test(tables().version));
