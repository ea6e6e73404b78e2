// share.js - the state of the page in the part of the address behind `#`. README.md says what the forms are.

const VERSION = "v1";
export const NO_STATE = "this link does not hold a state of this page";

const MOST_BYTES = 16 << 20; // of a state; a link of a few kB can unpack to far more

async function through(stream, bytes, most = Infinity) {
  const parts = [];
  let size = 0;
  for (const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();;) {
    const {done, value} = await reader.read();
    if (done)
      return new Uint8Array(await new Blob(parts).arrayBuffer());
    parts.push(value);
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new RangeError("too much");
    }
  }
}

export async function unpack(base64, format, most) {
  const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
  return through(new DecompressionStream(format), bytes, most);
}

export async function write(state) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(state)));
  let text = "";
  for (const byte of bytes)
    text += String.fromCharCode(byte);
  return `#${VERSION}=${btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;
}

// {vector, profile} or a state; null for an address that says nothing. Throws on one that makes no sense.
export async function read(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, "").replace(/\+/g, "%2B"));
  const version = [...fields.keys()].find(key => /^v\d+$/.test(key));
  if (version && version !== VERSION)
    throw new Error(`this page does not know links of the form ${version}`);
  if (version)
    try {
      return Object(JSON.parse(new TextDecoder().decode(await unpack(fields.get(version).replace(/-/g, "+").replace(/_/g, "/"), "deflate-raw", MOST_BYTES))));
    } catch {
      throw new Error(NO_STATE);
    }
  return fields.has("vector") ? {vector: fields.get("vector"), profile: fields.get("profile")} : null;
}
