// share.js - the state of the page in the part of the address behind `#`. README.md says what the forms are.

const VERSION = "v1";
export const NO_STATE = "this link does not hold a state of this page";

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

export async function unpack(base64, format) {
  const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
  return through(new DecompressionStream(format), bytes);
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
      return Object(JSON.parse(new TextDecoder().decode(await unpack(fields.get(version).replace(/-/g, "+").replace(/_/g, "/"), "deflate-raw"))));
    } catch {
      throw new Error(NO_STATE);
    }
  return fields.has("vector") ? {vector: fields.get("vector"), profile: fields.get("profile")} : null;
}
