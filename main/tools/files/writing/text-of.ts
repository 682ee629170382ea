import { isUtf8 } from "node:buffer";

/** The text that bytes are, byte order mark and line ends included; null: they are not UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  if (!isUtf8(bytes)) return null;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
