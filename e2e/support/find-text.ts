import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Looks for a text in every file of a folder, in the forms in which a program could have written
 * it: UTF-8, UTF-16, base64 wherever it begins, and hex.
 * @param among names of the files to look in; without it, all
 * @returns `<file>: <form>` for each find
 */
export function findText(folder: string, text: string, among = /^/): readonly string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && among.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  return files.flatMap((file) =>
    formsIn(readIfThere(file), text).map((form) => `${file}: ${form}`),
  );
}

/** The forms in which the text stands in some bytes. */
export function formsIn(bytes: Buffer, text: string): readonly string[] {
  return formsOf(text).flatMap(([form, wanted]) => (bytes.includes(wanted) ? [form] : []));
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
