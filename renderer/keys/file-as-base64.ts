/** Bytes; what is longer is no backup, and need not be read. */
const LONGEST = 6_000;

/** The file's bytes; of one that is far too long only the beginning, which nothing takes for a backup. */
export async function fileAsBase64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.slice(0, LONGEST).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
