import type { LineReading, SimpleCommand, UnreadReason } from "../contract/command-line.ts";
import { changesShell, KEYWORDS } from "./shell-words.ts";

/** Bytes of UTF-8; a longer line is asked about unread. */
const LINE_BYTES = 64 * 1024;
/** Words, and what stands between them; more take longer to read than the program can wait. */
const PIECES_MOST = 2_048;
const SHOWN_CHARS = 40;

/** What ends the reading of a line. */
class Unread {
  readonly reason: UnreadReason;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  constructor(reason: UnreadReason, written = "", start = 0, text = shortened(written)) {
    this.reason = reason;
    this.text = text;
    this.start = start;
    this.end = start + written.length;
  }
}

/**
 * Reads a line of the small language on which sh, bash, dash, ksh and zsh agree: plain words, `'…'`, and
 * `"…"` without `$`, backtick, backslash and `!`; `&&`, `||`, `;`, `|`, line breaks; `2>&1`, `>/dev/null`;
 * `cd FOLDER &&` at its beginning; a quoted here-document. Nothing that it reads expands, and whatever it
 * does not know makes the line unread. Pure; linear in the line's length.
 *
 * Sources: POSIX.1-2024 XCU §2; the manuals of bash 5.3, dash 0.5.12, ksh93u+m and zsh 5.9.
 */
export function readLine(line: string): LineReading {
  if (new TextEncoder().encode(line).length > LINE_BYTES) {
    return { kind: "unread", unread: new Unread("too_long") };
  }
  const found = new LineReader(line).read();
  if (found instanceof Unread) return { kind: "unread", unread: found };
  return withoutFirstCd(line, found);
}

type Operator = "&&" | "||" | ";" | "|";

interface Started extends SimpleCommand {
  /** What stands before it; null: it is the first. */
  readonly after: Operator | null;
}

/** A plain folder; `cd -`, `cd +1` and `cd old new` go elsewhere. */
const isFolder = (word: string): boolean => /^[^-+\d]/.test(word);

function withoutFirstCd(line: string, found: readonly Started[]): LineReading {
  const [first, second] = found;
  const [program, directory = "", ...more] = first?.words ?? [];
  const isFirst =
    program === "cd" &&
    more.length === 0 &&
    isFolder(directory) &&
    (second?.after ?? "&&") === "&&";
  const commands = (isFirst ? found.slice(1) : found).map(({ after: _, ...command }) => command);
  const changing = commands.find(({ words }) => changesShell(words[0] ?? ""));
  if (changing !== undefined) {
    const { start, end } = changing;
    const unread = new Unread("shell_itself", line.slice(start, end), start);
    return { kind: "unread", unread };
  }
  return { kind: "read", directory: isFirst ? directory : null, commands };
}

const shortened = (text: string): string =>
  text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS).toWellFormed()}…` : text;

const REDIRECTIONS = /(?:[12]?>[ \t]*\/dev\/null|<[ \t]*\/dev\/null|2>&1|1?>&2)(?=[ \t\n;|&]|$)/y;
const OPERATORS = /&&|\|\||;(?![;&|])|\|(?![|&])|\n/y;
const BLANKS = /[ \t]+/y;
/** Tilde and caret stand for nothing within a word, as in `HEAD~1` and `HEAD^`. */
const PLAIN = /(?:[A-Za-z0-9_./:,+@%=-]|(?<=[A-Za-z0-9])[~^])+/y;
const COMMIT_MESSAGE = /"\$\(cat <<'([A-Za-z_]\w*)'\n/y;
const HERE_DOCUMENT = /<<'([A-Za-z_]\w*)'[ \t]*\n/y;

class LineReader {
  readonly #line: string;
  readonly #found: Started[] = [];
  #at = 0;
  #words: string[] = [];
  #start = 0;
  #end = 0;
  #after: Operator | null = null;
  #fed = false;

  constructor(line: string) {
    this.#line = line;
  }

  read(): readonly Started[] | Unread {
    for (let pieces = 0; this.#at < this.#line.length; pieces += 1) {
      const unread = pieces < PIECES_MOST ? this.#step() : new Unread("too_long");
      if (unread !== null) return unread;
    }
    if (this.#words.length > 0) return this.#finish() ?? this.#found;
    const isOpen = this.#after !== null && this.#after !== ";";
    return isOpen || this.#found.length === 0 ? malformed() : this.#found;
  }

  #step(): Unread | null {
    if (this.#take(BLANKS) !== null) return null;
    const begun = this.#at;
    if (this.#take(REDIRECTIONS) !== null) {
      this.#end = this.#at;
      return this.#words.length === 0 ? this.#unread("redirection", begun) : null;
    }
    const operator = this.#take(OPERATORS);
    if (operator !== null) return this.#operator(operator);
    if (this.#line.startsWith("<<", this.#at)) return this.#hereDocument();
    const start = this.#at;
    const word = this.#word();
    if (word instanceof Unread) return word;
    if (this.#words.length === 0) this.#start = start;
    this.#words.push(word);
    this.#end = this.#at;
    return null;
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const [text] = pattern.exec(this.#line) ?? [];
    if (text === undefined) return null;
    this.#at += text.length;
    return text;
  }

  #operator(text: string): Unread | null {
    if (this.#words.length === 0) {
      // Line breaks may stand where a command could.
      return text === "\n" ? null : malformed();
    }
    const unread = this.#finish();
    if (unread !== null) return unread;
    this.#after = text === "\n" ? ";" : (OPERATOR[text] ?? ";");
    this.#fed = text === "|";
    return null;
  }

  #finish(): Unread | null {
    const [program = ""] = this.#words;
    if (/^[A-Za-z_]\w*\+?=/.test(program)) return this.#unread("assignment", this.#start);
    // `%1` is a job, `-` a modifier, `=ls` a path in zsh, and a number may belong to a redirection.
    if (KEYWORDS.has(program) || /^(?:[-+%=@,:^~]|\d+$|$)/.test(program)) {
      return this.#unread("keyword", this.#start);
    }
    this.#found.push({
      words: this.#words,
      start: this.#start,
      end: this.#end,
      fed: this.#fed,
      after: this.#after,
    });
    this.#words = [];
    this.#fed = false;
    this.#after = null;
    return null;
  }

  #word(): string | Unread {
    let word = "";
    const start = this.#at;
    for (;;) {
      const plain = this.#take(PLAIN);
      const piece = plain ?? this.#quoted();
      if (piece instanceof Unread) return piece;
      if (piece === null) {
        if (this.#at === start || !/^[ \t\n;|&]?$/.test(this.#line[this.#at] ?? "")) break;
        // zsh reads `=ls` as the program's path.
        return this.#line[start] === "=" ? this.#unread("home_folder", start) : word;
      }
      word += piece;
    }
    return unreadAt(this.#line, this.#at);
  }

  /** Null: no quote begins here. */
  #quoted(): string | Unread | null {
    const quote = this.#line[this.#at];
    if (quote !== "'" && quote !== '"') return null;
    if (this.#line.startsWith('"$(', this.#at)) return this.#message();
    const end = this.#line.indexOf(quote, this.#at + 1);
    if (end === -1) return malformed();
    const text = this.#line.slice(this.#at + 1, end);
    const special = quote === '"' ? text.search(/[$`\\!]/) : -1;
    if (special !== -1) return unreadAt(this.#line, this.#at + 1 + special);
    if (hasUnseen(text)) return new Unread("character");
    // In zsh, '' within quotes can be one quote.
    if (quote === "'" && this.#line[end + 1] === "'") return malformed();
    this.#at = end + 1;
    return text;
  }

  /** `"$(cat <<'EOF' … EOF )"`, as agents write a commit's message. */
  #message(): string | Unread {
    const start = this.#at;
    const unread = unreadAt(this.#line, start + 1);
    const body = this.#words.length === 0 ? null : this.#body(COMMIT_MESSAGE);
    const end = body === null ? null : this.#take(/[ \t]*\)"/y);
    // Bash 3.2 takes quotes in such a text for its own, so none may follow that could end them.
    const isPlain = body !== null && !/[$`\\"]/.test(body);
    if (!isPlain || end === null || /['"]/.test(this.#line.slice(this.#at))) return unread;
    return body.replace(/\n+$/, "");
  }

  #hereDocument(): Unread | null {
    const start = this.#at;
    const body = this.#words.length === 0 || this.#fed ? null : this.#body(HERE_DOCUMENT);
    if (body === null) return this.#unread("here_document", start);
    this.#fed = true;
    const unread = this.#finish();
    this.#after = ";";
    return unread;
  }

  /** Because of the word that begins there. */
  #unread(reason: UnreadReason, start: number): Unread {
    return new Unread(reason, wordAt(this.#line, start), start);
  }

  /** Up to the line that ends a here-document, and past it; null: none is quoted, or it does not end. */
  #body(beginning: RegExp): string | null {
    beginning.lastIndex = this.#at;
    const [begun, name = ""] = beginning.exec(this.#line) ?? [];
    if (begun === undefined) return null;
    const start = this.#at + begun.length;
    // The line break before the text counts, so that it may be empty.
    const end = this.#line.indexOf(`\n${name}\n`, start - 1);
    const isLast = end === -1 && this.#line.endsWith(`\n${name}`);
    if (end === -1 && !isLast) return null;
    const stop = isLast ? this.#line.length - name.length - 1 : end;
    const text = this.#line.slice(start, stop + 1);
    if (stop < start - 1 || hasUnseen(text)) return null;
    this.#at = stop + 1 + name.length + (isLast ? 0 : 1);
    return text;
  }
}

const OPERATOR: Readonly<Record<string, Operator>> = { "&&": "&&", "||": "||", ";": ";", "|": "|" };

const malformed = (): Unread => new Unread("malformed");

const wordAt = (line: string, at: number): string => /\S*/.exec(line.slice(at))?.[0] ?? "";

/** Control characters, what nobody sees, and halves of characters. */
const hasUnseen = (text: string): boolean =>
  /[^\P{C}\n\t]|[\p{Zl}\p{Zp}]|(?![ ])\p{Zs}|\p{Default_Ignorable_Code_Point}/u.test(text);

/** Why the character that stands there is not read. */
function unreadAt(line: string, at: number): Unread {
  const char = String.fromCodePoint(line.codePointAt(at) ?? 0);
  const reason = REASON_OF[char];
  if (reason === "variable" && line[at + 1] === "(") return substitution(line, at, "$(", ")");
  if (char === "`") return substitution(line, at, char, char);
  if (reason === undefined) return new Unread("character", /^[!-~]$/.test(char) ? char : "", at);
  return new Unread(reason, /^\S{1,12}/.exec(line.slice(at))?.[0] ?? char, at);
}

/** What it runs stands in it, and is too long for a reason. */
function substitution(line: string, at: number, opens: string, closes: string): Unread {
  const end = line.indexOf(closes, at + opens.length);
  const written = end === -1 ? opens : line.slice(at, end + 1);
  return new Unread("substitution", written, at, `${opens}…${closes}`);
}

const REASON_OF: Readonly<Record<string, UnreadReason>> = {
  $: "variable",
  "`": "substitution",
  "*": "pattern",
  "?": "pattern",
  "[": "pattern",
  "]": "pattern",
  "^": "pattern",
  "{": "braces",
  "}": "braces",
  "~": "home_folder",
  "\\": "backslash",
  "!": "exclamation",
  "<": "redirection",
  ">": "redirection",
  "&": "background",
  "(": "grouping",
  ")": "grouping",
  ";": "malformed",
  "|": "malformed",
  "#": "comment",
};
