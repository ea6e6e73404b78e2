// usage: dloc run --impl 'node tests/playground/adapter.mjs' vectors
// The playground as an implementation (conformance/PROTOCOL.md).
import {readFileSync} from "node:fs";
import {createInterface} from "node:readline";
import {ask} from "./command.mjs";

// What a vector says beside its question, so that it is one.
const COMPLETE = {clauses: ["merge.same"], level: "must", since: "rfc", expect: {outcome: "reject", reason: "shape.no-operands"}};
let rules = [], asked = [];

async function answer(questions) {
  const input = questions.map(each => JSON.stringify({...COMPLETE, ...each.vector})).join("\n");
  const {out, err, failure} = await ask(["answer", ...rules, "-"], input);
  const lines = out.split("\n").filter(Boolean);
  lines.forEach((line, i) => process.stdout.write(`{"seq":${questions[i].seq},${line.slice(1)}\n`));
  if (lines.length < questions.length) {
    say({seq: questions[lines.length].seq, outcome: "errored", reason: failure ?? err});
    await answer(questions.slice(lines.length + 1));
  }
}

const say = line => process.stdout.write(JSON.stringify(line) + "\n");

for await (const line of createInterface({input: process.stdin})) {
  const message = JSON.parse(line);
  if (message.command === "start") {
    rules = Object.entries(message.choices).flatMap(([name, value]) => ["--choice", `${name}=${value}`]);
    const {$defs} = JSON.parse(readFileSync("vectors/vector.schema.json", "utf8"));
    say({started: 1, implementation: "playground", version: "1", capabilities: $defs.need.enum});
  } else if (message.command === "run")
    asked.push(message);
  else if (message.command === "flush") {
    await answer(asked.splice(0));
    say({flushed: message.seq});
  } else
    break;
}
