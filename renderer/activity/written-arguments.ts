import type { JsonObject } from "../../app/contract/json.ts";

/** Every form of `write_file`'s arguments with which exactly these bytes are written to this path. */
export function writtenArguments(path: string, bytes: Uint8Array<ArrayBuffer>): JsonObject[] {
  const text = asText(bytes);
  const contents: JsonObject[] = [{ content: base64Of(bytes), encoding: "base64" }];
  if (text !== null) contents.push({ content: text }, { content: text, encoding: "utf-8" });
  const choices: JsonObject[] = [{}, { if_exists: "replace" }, { if_exists: "fail" }];
  return contents.flatMap((content) => choices.map((choice) => ({ path, ...content, ...choice })));
}

/** Null: it is no UTF-8, and no call can have written it as text. */
function asText(bytes: Uint8Array<ArrayBuffer>): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

const base64Of = (bytes: Uint8Array<ArrayBuffer>): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
