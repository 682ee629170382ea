const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/**
 * The text of one member's value as it stands in a JSON object, without the space around it: a
 * manifest's size is counted as sent, which the parsed value no longer tells.
 *
 * @param text a JSON object that `parseStrictJson` accepted (valid, no repeated keys)
 */
export function memberText(text: string, key: string): string | undefined {
  let quote = text.indexOf('"');
  while (quote >= 0) {
    const nameEnd = stringEnd(text, quote) + 1;
    const name: unknown = JSON.parse(text.slice(quote, nameEnd));
    const valueStart = text.indexOf(":", nameEnd) + 1;
    const end = valueEnd(text, valueStart);
    if (name === key) return text.slice(valueStart, end).trim();
    quote = text.indexOf('"', end);
  }
  return undefined;
}

/**
 * The bytes of `capability_manifest` as they were sent. Its limit counts the manifest alone, not
 * the body around it (contract §5).
 */
export const manifestBytesIn = (body: Buffer): Uint8Array =>
  Buffer.from(memberText(body.toString("utf8"), "capability_manifest") ?? "", "utf8");

/** Index of the comma or bracket that ends the value. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const mark = text.charCodeAt(at);
    if (mark === QUOTE) at = stringEnd(text, at);
    else if (isOpening(mark)) depth += 1;
    else if (depth === 0 && (mark === COMMA || isClosing(mark))) return at;
    else if (isClosing(mark)) depth -= 1;
  }
  return text.length;
}

const isOpening = (mark: number): boolean => mark === 0x7b || mark === 0x5b;
const isClosing = (mark: number): boolean => mark === 0x7d || mark === 0x5d;

/** Index of the closing quote of the string that opens at `start`. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at;
}
