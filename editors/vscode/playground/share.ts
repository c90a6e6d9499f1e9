// A program in a URL: compressed, after the `#`, which browsers do not send to servers. Knows no page.

const KEY = '#program=';
/** The maximum length of a shared program. Protects against small links that unpack to very long texts. */
const LONGEST = 4 << 20;

/** Returns the fragment of the URL, with its `#`. */
export async function packed(program: string): Promise<string> {
  const bytes = await new Response(new Blob([program]).stream().pipeThrough(new CompressionStream('deflate-raw'))).bytes();
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return KEY + btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Returns the program in a fragment; `undefined` if there is none. */
export async function unpacked(hash: string): Promise<string | undefined> {
  if (!hash.startsWith(KEY)) return undefined;
  try {
    const text = atob(hash.slice(KEY.length).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    return await read(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')));
  } catch {
    return undefined;
  }
}

async function read(stream: ReadableStream<Uint8Array>): Promise<string | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = stream.getReader();
  let [program, length] = ['', 0];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    if (length > LONGEST) {
      await reader.cancel();
      return undefined;
    }
    program += decoder.decode(part.value, { stream: true });
  }
  return program + decoder.decode();
}
