// A scenario in the fragment of a link: deflated, base64url. Fragments are never sent to a server.

export async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const b of bytes) binary += String.fromCharCode(b);
  return "s=" + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The text of a fragment; null where there is none that can be read. */
export async function unpack(fragment) {
  const found = /(?:^#?|&)s=([\w-]+)/.exec(fragment);
  if (!found) return null;
  try {
    const binary = atob(found[1].replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const text = await new Response(stream).text();
    return text.length <= 4 << 20 ? text : null;
  } catch {
    return null;
  }
}
