/** In bytes; a longer file is no backup and need not be read. */
const LONGEST = 6_000;

/** The file's bytes; of a file that is too long only the beginning, which is no valid backup. */
export async function fileAsBase64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.slice(0, LONGEST).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
