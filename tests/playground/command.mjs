// command.mjs - the playground's command in node.
import {readFileSync} from "node:fs";
import {webcrypto} from "node:crypto";
import {run} from "../../playground/page/wasi.js";

globalThis.crypto ??= webcrypto;
const module = new WebAssembly.Module(readFileSync(`${process.env.BUILD ?? "build"}/playground.wasm`));

export const ask = (args, input) => run(module, args, typeof input === "string" ? new TextEncoder().encode(input) : input);
