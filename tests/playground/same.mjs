// usage: node tests/playground/same.mjs
// The same commands by the playground and by $DLOC, over the modules of tests/lit/Inputs and those of vectors: output and status are the same.
import {readFileSync, readdirSync} from "node:fs";
import {spawnSync} from "node:child_process";
import {ask} from "./command.mjs";
import {locations} from "../../playground/page/module.js";
import {as_module, pretty} from "../../playground/page/vector.js";

const DLOC = process.env.DLOC ?? "build/dloc";
const COMMANDS = [["verify", "--json", "-W", "-"], ["print", "-"], ["print", "--locations", "-"], ["emit", "-"], ["inline", "-"], ["encode", "-"], ["source", "-"],
  ["convert", "--to", "irlayers", "--lossy", "-"], ["convert", "--to", "tuple", "--lossy", "-"]];
const PROFILES = ["rfc", "pr215666", "llvm-19"];
let passed = 0, failed = 0;

function native(args, input) {
  const {status, stdout, stderr} = spawnSync(DLOC, args, {input, maxBuffer: 1 << 28, encoding: "utf8"});
  return {status, out: stdout, err: stderr};
}

async function compare(name, args, input) {
  const expected = native(args, input), {status, out, err, failure} = await ask(args, input);
  if (!failure && status === expected.status && out === expected.out && err === expected.err)
    return passed++;
  failed++;
  console.log(`not ok ${name}: dloc ${args.join(" ")}: ${JSON.stringify({status, out: out.slice(0, 300), err, failure})}, expected ${JSON.stringify({...expected, out: expected.out.slice(0, 300)})}`);
}

async function merge(name, module, ...rules) {
  const nodes = [...new Set(locations(module).map(each => each.node))].slice(0, 3);
  if (nodes.length)
    await compare(name, ["merge", "--explain", ...rules, "-", ...nodes], module);
}

const vectors = native(["list", "--json", "vectors"]).out.trim().split("\n").map(line => JSON.parse(line).vector);

for (const file of readdirSync("tests/lit/Inputs").filter(name => /\.(ll|bc)$/.test(name))) {
  const module = readFileSync(`tests/lit/Inputs/${file}`);
  for (const [command, ...rest] of COMMANDS)
    for (const profile of command === "convert" ? PROFILES.slice(0, 1) : PROFILES)
      await compare(file, [command, ...command === "convert" ? [] : ["--profile", profile], ...rest], module);
  await merge(file, module.toString());
}

// The text that one edits is the vector.
for (const vector of vectors) {
  const same = JSON.stringify(JSON.parse(pretty(vector))) === JSON.stringify(vector);
  same ? passed++ : failed++;
  same || console.log(`not ok ${vector.id}: ${pretty(vector)}`);
}

// Every vector of merge, and some of each op.
let count = 0;
for (const vector of vectors) {
  if (vector.op !== "merge" && count++ % 40)
    continue;
  const document = as_module(vector);
  const {status, out} = document ? await ask(["module", "-"], JSON.stringify(document)) : {};
  if (status !== 0)
    continue;
  if (vector.op === "merge")
    await merge(vector.id, out, "--profile", "rfc");
  else
    await compare(vector.id, [...COMMANDS[count % 7]], out);
}
// What is cut off anywhere is refused, without a crash.
const whole = JSON.stringify(vectors[0]);
for (let size = 0; size < whole.length; size += 7) {
  const {status, failure, err} = await ask(["vector", "-"], whole.slice(0, size));
  if (failure || status !== 1 || !/^dloc: .* \[[\w.-]+\]\n$/.test(err)) {
    failed++;
    console.log(`not ok ${size} bytes of ${vectors[0].id}: ${JSON.stringify({status, failure, err})}`);
  } else
    passed++;
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
