/** An expectation: `reason` and perhaps `severity` of a rejection; otherwise the op's `value`, if it gives one. */
export interface Expectation {
  outcome: 'ok' | 'reject';
  reason?: string;
  severity?: 'soft' | 'hard' | 'parse';
  value?: Record<string, unknown>;
}

export interface Vector {
  id: string;
  digest: string;
  clauses: string[];
  level: 'must' | 'should' | 'may' | 'undefined' | 'record';
  since: string;
  with?: Record<string, string>;
  needs?: string[];
  kills?: string[];
  note?: string;
  nodes?: Record<string, Record<string, unknown>>;
  module?: Record<string, unknown>;
  op: string;
  args?: unknown;
  expect: Expectation;
  /** By choice and alternative. */
  choices?: Record<string, Record<string, Expectation>>;
  /** By profile. */
  profiles?: Record<string, Expectation>;
}

export interface Tables {
  version: string;
  clauses: {
    clause: string;
    level: Vector['level'];
    origin: 'rfc' | 'stock' | 'dwarf' | 'ours';
    place: string;
    statement: string;
    source: string;
  }[];
  choices: {
    choice: string;
    question: string;
    reason: string;
    consequence: string;
    /** What each means. */
    alternatives: Record<string, string>;
    /** The alternative that each profile takes. */
    profiles: Record<string, string>;
  }[];
  /** `base`: the profile that it is based on, or empty. */
  profiles: { profile: string; base: string; about: string }[];
  ops: { op: string; args: string; value: string }[];
  reasons: { reason: string; severity: 'soft' | 'hard' | 'parse' | 'warning'; text: string }[];
  laws: { law: string; statement: string; clauses: string[]; broken: Record<string, string> }[];
}

/** What an implementation says about a vector: the outcome of PROTOCOL.md, and the value or the reason. */
export interface Answer {
  outcome: string;
  reason?: string;
  severity?: string;
  value?: Record<string, unknown>;
}

/** All vectors, in the order of the suite. */
export function vectors(): Vector[];
export function tables(): Tables;
/** The JSON Schema of a vector, of the lines of the adapter protocol, or of the tables. */
export function schema(name: 'vector' | 'protocol' | 'tables'): Record<string, unknown>;
/** What the vector expects under a built-in profile; null: it is not for that profile. */
export function expectation(vector: Vector, profile: string): Expectation | null;
/** Whether an answer is what the vector expects under the profile, by default `since`. Names of nodes do not count, sharing does. */
export function same(vector: Vector, answer: Answer, profile?: string): boolean;
