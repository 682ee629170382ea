import { isUtf8 } from "node:buffer";

/** The bytes as text, including byte order mark and line ends; null if they are not UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  if (!isUtf8(bytes)) return null;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
