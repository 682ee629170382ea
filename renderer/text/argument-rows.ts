import { isJsonObject, type JsonObject, type JsonValue } from "../../app/contract/json.ts";
import { mixedScriptWords } from "../../app/contract/mixed-scripts.ts";
import { cutText, visibleString } from "./visible-text.ts";

export interface ArgumentRow {
  readonly name: string;
  readonly kind: "path" | "address" | "text" | "value";
  readonly text: string;
  /** A list of texts, such as a command line: each on its own line. */
  readonly lines: readonly string[] | null;
}

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;
const ABSOLUTE_PATH = /^(?:[/~]|[a-z]:[\\/]|\\\\)/i;
const PATH_NAME = /^(?:path|paths|cwd|directory|from|to|root|source|destination|.*_path)$/;
const ADDRESS_NAME = /^(?:url|uri|host|.*_url)$/;

/** Every argument, complete, in the agent's order (contract §2: what is shown is what runs). */
export const argumentRows = (args: JsonObject): readonly ArgumentRow[] =>
  Object.entries(args).map(([name, value]) => ({
    name,
    kind: kindOf(name, value),
    text: typeof value === "string" ? value : JSON.stringify(value, null, 2),
    lines: linesOf(value),
  }));

/** What an agent received: content, so no part of it is emphasized as an address. */
export const resultRows = (result: JsonValue): readonly ArgumentRow[] =>
  Object.entries(isJsonObject(result) ? result : { result }).map(([name, value]) => ({
    name,
    kind: typeof value === "string" ? "text" : "value",
    text: typeof value === "string" ? value : JSON.stringify(value, null, 2),
    lines: null,
  }));

function linesOf(value: JsonValue): readonly string[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const texts = value.filter((each) => typeof each === "string");
  return texts.length === value.length ? texts : null;
}

function kindOf(name: string, value: JsonValue): ArgumentRow["kind"] {
  return typeof value === "string" ? kindOfText(name, value) : "value";
}

function kindOfText(name: string, value: string): "path" | "address" | "text" {
  if (ADDRESS_NAME.test(name) || ADDRESS.test(value)) return "address";
  return PATH_NAME.test(name) || ABSOLUTE_PATH.test(value) ? "path" : "text";
}

/** Words that mix scripts in a path or host, alone or in a list. */
export const suspiciousWords = ({ name, text, lines }: ArgumentRow): readonly string[] => [
  ...new Set(
    (lines ?? [text])
      .filter((line) => kindOfText(name, line) !== "text")
      .flatMap((line) => mixedScriptWords(line)),
  ),
];

/** The most important part of a path or address, for emphasis: the host, or the last name. */
export function splitForEmphasis(row: ArgumentRow): readonly [string, string, string] {
  const found =
    row.kind === "address"
      ? /^([a-z][a-z0-9+.-]*:\/\/)?([^/?#]*)/i.exec(row.text)
      : row.kind === "path"
        ? /^(.*[\\/])?([^\\/]+)[\\/]*$/s.exec(row.text)
        : null;
  const before = found?.[1] ?? "";
  const part = found?.[2] ?? "";
  return found === null
    ? [row.text, "", ""]
    : [before, part, row.text.slice(before.length + part.length)];
}

const CHARACTERS = 160;

/** What a call asked for, on one line to recognize it by; null: it had no arguments. */
export function askedLine(args: JsonObject): string | null {
  const texts = argumentRows(args).map(({ lines, text }) => lines?.join(" ") ?? text);
  const line = texts.join(" · ").replace(/\s+/g, " ").trim();
  if (line === "") return null;
  const cut = cutText(line, CHARACTERS);
  return visibleString(cut) + (cut === line ? "" : "…");
}
