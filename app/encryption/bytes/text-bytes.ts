const encoder = new TextEncoder();
/** Keeps the byte order mark: decoding and encoding must give the same bytes again. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export const utf8 = (text: string): Uint8Array => encoder.encode(text);

/** @returns null if the bytes are not valid UTF-8 */
export function readUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
