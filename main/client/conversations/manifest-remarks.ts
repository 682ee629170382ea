import type { ManifestRemarkView } from "../../../app/bridge/manifest-views.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import type { ManifestProblem, ManifestWarning } from "../../../app/contract/manifest-remarks.ts";
import { parseStrictJson, strictJsonError } from "../../../app/contract/strict-json.ts";
import { syntaxPosition } from "../../../app/contract/syntax-position.ts";

/** Adds each remark's place in the text, where it is known. */
export function remarksIn(
  text: string,
): (remark: ManifestProblem | ManifestWarning) => ManifestRemarkView {
  const fault = faultIn(text);
  const locate = fault === null ? locatePointers(text) : null;
  return ({ pointer, code, detail = null }) => {
    const offset = fault?.position ?? null;
    const place = locate?.(pointer) ?? (offset === null ? null : placeOf(text, offset));
    return { pointer, code, detail, line: place?.line ?? null, column: place?.column ?? null };
  };
}

/** Null: the text is strict JSON. */
function faultIn(text: string): { readonly position: number | null } | null {
  try {
    parseStrictJson(text, LIMITS.manifestBytes);
    return null;
  } catch (error) {
    if (!strictJsonError.is(error)) throw error;
    return { position: error.code === "syntax" ? syntaxPosition(text) : (error.details ?? null) };
  }
}

/** A place in a JSON text: from 1, in UTF-16 units. */
interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/**
 * Finds the values that RFC 6901 pointers name; for a missing one, the value that should contain
 * it.
 * @param text strict JSON
 */
function locatePointers(text: string): (pointer: string) => TextPlace | null {
  const offsets = new Map<string, number>();
  new Scan(text, offsets).value("");
  return (pointer) => {
    for (let at = pointer; ; at = at.slice(0, at.lastIndexOf("/"))) {
      const offset = offsets.get(at);
      if (offset !== undefined) return placeOf(text, offset);
      if (!at.includes("/")) return null;
    }
  };
}

function placeOf(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const SCALAR = /[^\s,\]}]*/y;

/** Walks a text that a strict parser has accepted, so it is valid and its depth is limited. */
class Scan {
  readonly #text: string;
  readonly #offsets: Map<string, number>;
  #at = 0;

  constructor(text: string, offsets: Map<string, number>) {
    this.#text = text;
    this.#offsets = offsets;
  }

  value(pointer: string): void {
    this.#take(SPACE);
    this.#offsets.set(pointer, this.#at);
    const mark = this.#text[this.#at];
    if (mark === "{") this.#members(pointer);
    else if (mark === "[") this.#items(pointer);
    else this.#take(mark === '"' ? STRING : SCALAR);
  }

  #members(pointer: string): void {
    this.#at += 1;
    while (this.#next("}")) {
      const key: string = JSON.parse(this.#take(STRING));
      this.#take(SPACE);
      this.#at += 1;
      this.value(`${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    }
  }

  #items(pointer: string): void {
    this.#at += 1;
    for (let index = 0; this.#next("]"); index += 1) this.value(`${pointer}/${index}`);
  }

  /** False at the end of the open array or object, which is consumed. */
  #next(end: string): boolean {
    this.#take(SPACE);
    if (this.#text[this.#at] === ",") this.#at += 1;
    this.#take(SPACE);
    if (this.#text[this.#at] !== end) return true;
    this.#at += 1;
    return false;
  }

  #take(token: RegExp): string {
    token.lastIndex = this.#at;
    const taken = token.exec(this.#text)?.[0] ?? "";
    this.#at += taken.length;
    return taken;
  }
}
