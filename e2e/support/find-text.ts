import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Looks for texts in every file of a folder, in the forms in which a program could have written
 * them: UTF-8, UTF-16, base64 wherever it begins, and hex.
 * @param among names of the files to look in; without it, all
 * @returns `<file>: <form>` for each find
 */
export function findText(
  folder: string,
  texts: string | readonly string[],
  among = /^/,
): readonly string[] {
  const wanted = new Patterns([texts].flat().flatMap(formsOf));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && among.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  return files.flatMap((file) => wanted.in(readIfThere(file)).map((form) => `${file}: ${form}`));
}

/** The forms in which the text stands in some bytes. */
export const formsIn = (bytes: Buffer, text: string): readonly string[] =>
  new Patterns(formsOf(text)).in(bytes);

/** Any three bytes, as one number. */
const HEADS = 2 ** 24;

/** Many byte strings that are looked for in one pass: most bytes begin none of them. */
class Patterns {
  readonly #begins = new Uint8Array(HEADS / 8);
  readonly #byHead = new Map<number, Form[]>();

  constructor(forms: readonly Form[]) {
    for (const form of forms) {
      const [, bytes] = form;
      if (bytes.length < 3) throw new RangeError("too short a text to look for");
      const head = bytes.readUIntBE(0, 3);
      this.#begins[head >> 3] = (this.#begins[head >> 3] ?? 0) | (1 << (head & 7));
      this.#byHead.set(head, [...(this.#byHead.get(head) ?? []), form]);
    }
  }

  in(bytes: Buffer): readonly string[] {
    const found = new Set<Form>();
    let head = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      head = ((head << 8) | (bytes[at] ?? 0)) & (HEADS - 1);
      if (at < 2 || ((this.#begins[head >> 3] ?? 0) & (1 << (head & 7))) === 0) continue;
      for (const form of this.#byHead.get(head) ?? []) {
        const [, wanted] = form;
        if (bytes.subarray(at - 2, at - 2 + wanted.length).equals(wanted)) found.add(form);
      }
    }
    return [...found].map(([name]) => name);
  }
}

/** A program that runs takes files away between the listing and the look. */
function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return Buffer.of();
    throw error;
  }
}

type Form = readonly [name: string, bytes: Buffer];

function formsOf(text: string): readonly Form[] {
  const utf8 = Buffer.from(text);
  return [
    ["UTF-8", utf8],
    ["UTF-16", Buffer.from(text, "utf16le")],
    ["UTF-16, big-endian", Buffer.from(text, "utf16le").swap16()],
    ["hex", Buffer.from(utf8.toString("hex"))],
    ["hex, upper case", Buffer.from(utf8.toString("hex").toUpperCase())],
    ...[0, 1, 2].flatMap((shift): Form[] => [
      ["base64", Buffer.from(base64Within(utf8, shift, "base64"))],
      ["base64url", Buffer.from(base64Within(utf8, shift, "base64url"))],
    ]),
  ];
}

/** What of the base64 of a longer text these bytes alone decide, `shift` bytes after a boundary. */
function base64Within(bytes: Buffer, shift: number, form: "base64" | "base64url"): string {
  const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString(form);
  return encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
}
