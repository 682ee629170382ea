import { assertNever } from "./assert-never.ts";

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 §7 forbids them unescaped.
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
/** The valid beginning of a string. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 §7 forbids them unescaped.
const STRING_START = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;

type Expected = "value" | "value or ]" | "key" | "key or }" | "colon" | "comma or end";

/**
 * Where a text stops being JSON (RFC 8259): the offset, in UTF-16 units, of the first token that is
 * not allowed there; the text's length when it only ends too early. Null for a text that is JSON.
 */
export function syntaxPosition(text: string): number | null {
  const walk = new Walk(text);
  for (;;) {
    const at = walk.skipSpace();
    if (at === text.length) return walk.isWhole ? null : at;
    if (!walk.step()) return walk.fault;
  }
}

class Walk {
  readonly #text: string;
  readonly #open: ("{" | "[")[] = [];
  #expected: Expected = "value";
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isWhole(): boolean {
    return this.#open.length === 0 && this.#expected === "comma or end";
  }

  /** Where a token that is not allowed here is at fault: for a string, its first invalid character. */
  get fault(): number {
    return after(STRING_START, this.#text, this.#at) ?? this.#at;
  }

  skipSpace(): number {
    this.#at = after(SPACE, this.#text, this.#at) ?? this.#at;
    return this.#at;
  }

  /** Consumes one token; false when it is not allowed here. */
  step(): boolean {
    const mark = this.#text[this.#at] ?? "";
    if (this.#closes(mark)) {
      this.#open.pop();
      return this.#take(1, "comma or end");
    }
    switch (this.#expected) {
      case "comma or end":
        return this.#comma(mark);
      case "colon":
        return mark === ":" && this.#take(1, "value");
      case "key":
      case "key or }":
        return this.#token(STRING, "colon");
      case "value":
      case "value or ]":
        return this.#value(mark);
      default:
        return assertNever(this.#expected);
    }
  }

  #closes(mark: string): boolean {
    const opened = this.#open.at(-1);
    const isDue = this.#expected === "comma or end";
    if (mark === "}") return opened === "{" && (isDue || this.#expected === "key or }");
    return mark === "]" && opened === "[" && (isDue || this.#expected === "value or ]");
  }

  #comma(mark: string): boolean {
    const opened = this.#open.at(-1);
    if (mark !== "," || opened === undefined) return false;
    return this.#take(1, opened === "{" ? "key" : "value");
  }

  #value(mark: string): boolean {
    if (mark !== "{" && mark !== "[") {
      return this.#token(mark === '"' ? STRING : SCALAR, "comma or end");
    }
    this.#open.push(mark);
    return this.#take(1, mark === "{" ? "key or }" : "value or ]");
  }

  #token(token: RegExp, then: Expected): boolean {
    const end = after(token, this.#text, this.#at);
    return end !== null && this.#take(end - this.#at, then);
  }

  #take(length: number, then: Expected): true {
    this.#at += length;
    this.#expected = then;
    return true;
  }
}

function after(token: RegExp, text: string, at: number): number | null {
  token.lastIndex = at;
  return token.test(text) ? token.lastIndex : null;
}
