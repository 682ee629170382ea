import { GlobWalker, SLASH, type States, type Step } from "./glob-walker.ts";

/**
 * Glob patterns without regular expressions (`glob-walker.ts`). A folder's states are kept and
 * advanced by the names in it; an empty set means that nothing below can match.
 */
export interface Glob {
  readonly start: States;
  /** The states after another part of a path; `text` is a name or `"/"`. */
  advance(states: States, text: string): States;
  matches(states: States): boolean;
}

/**
 * `*`, `?`, `**` as a whole component, `{a,b}`, and `\` before a character that stands for itself.
 * Pure. The catalogue's schema limits length, depth and pairs of braces.
 */
export function compileGlob(pattern: string): Glob {
  const steps: Step[] = [{ kind: "end" }];
  // A pattern without a slash applies in any folder.
  const whole = [...(pattern.includes("/") ? pattern : `**/${pattern}`)];
  const first = compile(whole, steps);
  const walker = new GlobWalker(steps);
  return {
    start: walker.start(first),
    advance: (states, text) => walker.advance(states, text),
    matches: (states) => states.members.includes(0),
  };
}

/** Adds the steps of a sequence from last to first, so that each knows its successor. */
function compile(pattern: readonly string[], steps: Step[]): number {
  const add = (step: Step): number => steps.push(step) - 1;
  return pieces(pattern).reduceRight((next, piece) => addPiece(piece, next, add), 0);
}

type Piece =
  | { readonly kind: "char"; readonly code: number }
  | { readonly kind: "one" | "star" | "folders" | "all" }
  | { readonly kind: "either"; readonly options: readonly (readonly Piece[])[] };

function addPiece(piece: Piece, next: number, add: (step: Step) => number): number {
  if (piece.kind === "char") return add({ kind: "char", code: piece.code, next });
  if (piece.kind === "one") return add({ kind: "name_char", next });
  if (piece.kind === "either") {
    const ways = piece.options.map((option) =>
      option.reduceRight((after, inner) => addPiece(inner, after, add), next),
    );
    return add({ kind: "fork", next: ways });
  }
  if (piece.kind === "star") return addLoop("name_char", next, add);
  if (piece.kind === "all") return add({ kind: "any_char", next: addLoop("any_char", next, add) });
  const through = addLoop("any_char", add({ kind: "char", code: SLASH, next }), add);
  return add({ kind: "fork", next: [next, through] });
}

function addLoop(
  kind: "name_char" | "any_char",
  next: number,
  add: (step: Step) => number,
): number {
  const ways = [next];
  const fork = add({ kind: "fork", next: ways });
  ways.push(add({ kind, next: fork }));
  return fork;
}

function pieces(pattern: readonly string[]): Piece[] {
  const cursor = { pattern, at: 0 };
  return sequence(cursor, false);
}

interface Cursor {
  readonly pattern: readonly string[];
  at: number;
}

function sequence(cursor: Cursor, inBraces: boolean): Piece[] {
  const found: Piece[] = [];
  while (cursor.at < cursor.pattern.length) {
    const sign = cursor.pattern[cursor.at] ?? "";
    if (inBraces && (sign === "," || sign === "}")) break;
    cursor.at += 1;
    found.push(piece(sign, cursor));
  }
  return found;
}

function piece(sign: string, cursor: Cursor): Piece {
  switch (sign) {
    case "?":
      return { kind: "one" };
    case "*":
      return stars(cursor);
    case "{":
      return either(cursor);
    case "\\":
      return literal(cursor.pattern[cursor.at++] ?? "\\");
    default:
      return literal(sign);
  }
}

const literal = (sign: string): Piece => ({ kind: "char", code: sign.codePointAt(0) ?? 0 });

function stars(cursor: Cursor): Piece {
  const { pattern } = cursor;
  const from = cursor.at - 1;
  while (pattern[cursor.at] === "*") cursor.at += 1;
  const follows = pattern[cursor.at];
  const whole = from === 0 || pattern[from - 1] === "/";
  if (cursor.at - from !== 2 || !whole) return { kind: "star" };
  if (follows === undefined) return { kind: "all" };
  if (follows !== "/") return { kind: "star" };
  cursor.at += 1;
  return { kind: "folders" };
}

function either(cursor: Cursor): Piece {
  const options: Piece[][] = [];
  while (cursor.at < cursor.pattern.length) {
    options.push(sequence(cursor, true));
    const ended = cursor.pattern[cursor.at] !== ",";
    cursor.at += 1;
    if (ended) break;
  }
  return { kind: "either", options };
}
