const ascii = (text: string): number[] => [...text].map((char) => char.charCodeAt(0));

/** The beginning of what a browser records, with `length` bytes in all. */
export const webmRecording = (length = 200): Uint8Array => filled(length, WEBM);
export const oggRecording = (length = 200): Uint8Array => filled(length, OGG);

const WEBM = [
  ...[0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x86, 0x81, 0x01, 0x42, 0x82, 0x84],
  ...ascii("webm"),
  ...[0x18, 0x53, 0x80, 0x67, 0x16, 0x54, 0xae, 0x6b, 0x86, 0x86],
  ...ascii("A_OPUS"),
];
const OGG = [...ascii("OggS"), ...new Array<number>(24).fill(0), ...ascii("OpusHead")];

function filled(length: number, head: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(length).fill(7);
  bytes.set(head);
  return bytes;
}
