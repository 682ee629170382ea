const encoder = new TextEncoder();
/** The byte order mark is kept: what is read must be written as the same bytes again. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export const utf8 = (text: string): Uint8Array => encoder.encode(text);

/** @returns null when the bytes are not UTF-8 */
export function readUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
