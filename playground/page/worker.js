// worker.js - runs what it is asked, one after the other.
import {run} from "./wasi.js";

let module = null;

self.onmessage = async ({data}) => {
  if (data.module) {
    module = data.module;
    return;
  }
  const results = [];
  for (const {args, input} of data.jobs)
    results.push(await run(module, args, typeof input === "string" ? new TextEncoder().encode(input) : input));
  postMessage({number: data.number, results});
};
