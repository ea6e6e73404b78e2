// wasi.js - runs the command once: arguments and standard input in, status and output out. Each run has a memory of its own, so that
// nothing of one run, not even a crash, is seen by the next.

export const OUTPUT_LIMIT = 8 << 20; // bytes

class Exit extends Error {}

const BAD_DESCRIPTOR = 8, NO_SPACE = 51;

function environment(state, args, input) {
  const view = () => new DataView(state.memory.buffer);
  const bytes = (at, size) => new Uint8Array(state.memory.buffer, at, size);
  const words = args.map(word => new TextEncoder().encode(word + "\0"));
  const regions = (at, count) => Array.from({length: count}, (_, i) => [view().getUint32(at + 8 * i, true), view().getUint32(at + 8 * i + 4, true)]);
  let read = 0;
  return {
    args_sizes_get(count, size) {
      view().setUint32(count, words.length, true);
      view().setUint32(size, words.reduce((sum, word) => sum + word.length, 0), true);
      return 0;
    },
    args_get(pointers, to) {
      words.forEach((word, i) => {
        view().setUint32(pointers + 4 * i, to, true);
        bytes(to, word.length).set(word);
        to += word.length;
      });
      return 0;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    fd_read(descriptor, at, count, got) {
      let sum = 0;
      for (const [to, size] of descriptor === 0 ? regions(at, count) : []) {
        const part = input.subarray(read, read + size);
        bytes(to, part.length).set(part);
        read += part.length;
        sum += part.length;
      }
      view().setUint32(got, sum, true);
      return descriptor === 0 ? 0 : BAD_DESCRIPTOR;
    },
    fd_write(descriptor, at, count, written) {
      let sum = 0;
      for (const [from, size] of regions(at, count)) {
        state.size += size;
        if (state.size > OUTPUT_LIMIT)
          return NO_SPACE;
        state[descriptor].push(bytes(from, size).slice());
        sum += size;
      }
      view().setUint32(written, sum, true);
      return 0;
    },
    // Pipes: neither mapped nor sought.
    fd_fdstat_get(descriptor, at) {
      bytes(at, 24).fill(0);
      return descriptor <= 2 ? 0 : BAD_DESCRIPTOR;
    },
    fd_filestat_get(descriptor, at) {
      bytes(at, 64).fill(0);
      return descriptor <= 2 ? 0 : BAD_DESCRIPTOR;
    },
    clock_time_get(clock, precision, at) {
      view().setBigUint64(at, BigInt(Date.now()) * 1000000n, true);
      return 0;
    },
    random_get(at, size) {
      crypto.getRandomValues(bytes(at, size));
      return 0;
    },
    proc_exit(status) {
      state.status = status;
      throw new Exit();
    },
  };
}

// What is not there: of WASI a descriptor, of the model what needs a library for object files.
function imports(module, known) {
  const all = {};
  for (const {module: from, name} of WebAssembly.Module.imports(module)) {
    const absent = from === "env" ? () => { throw new Error("object files are not part of the playground"); } : () => BAD_DESCRIPTOR;
    (all[from] ??= {})[name] = known[name] ?? absent;
  }
  return all;
}

function text(chunks) {
  return new Blob(chunks).arrayBuffer().then(buffer => new TextDecoder("utf-8", {ignoreBOM: true}).decode(buffer));
}

// failure: why it did not end by itself; null when it did.
export async function run(module, args, input) {
  const state = {1: [], 2: [], size: 0, status: null, memory: null};
  const known = environment(state, ["dloc", ...args], input);
  let failure = null;
  try {
    const instance = await WebAssembly.instantiate(module, imports(module, known));
    state.memory = instance.exports.memory;
    instance.exports._start();
  } catch (error) {
    if (!(error instanceof Exit))
      failure = error instanceof RangeError || /stack|memory access/i.test(error.message) ? "the input is too deep: no more stack" : error.message;
  }
  return {status: state.status, out: await text(state[1]), err: await text(state[2]), failure};
}
