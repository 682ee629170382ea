const CHUNK = 8192;

/** RFC 4648 §4, with padding. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.byteLength; at += CHUNK) {
    // `apply` on the typed array is several times faster than spreading it.
    binary += String.fromCharCode.apply(
      null,
      bytes.subarray(at, at + CHUNK) as unknown as number[],
    );
  }
  return btoa(binary);
}

/** `undefined` unless it is canonical base64: padded, no whitespace, no stray bits. */
export function fromBase64(text: string): Uint8Array | undefined {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    return undefined;
  }
  if (Math.ceil(binary.length / 3) * 4 !== text.length) return undefined;
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  const end = text.slice(-4);
  return toBase64(bytes.subarray(Math.max(0, bytes.length - (bytes.length % 3 || 3)))) === end
    ? bytes
    : undefined;
}
