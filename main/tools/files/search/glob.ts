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

const SLASH = 0x2f;

/** A step of a compiled pattern; number 0 is its end. */
type Step =
  | { readonly kind: "char"; readonly code: number; readonly next: number }
  | { readonly kind: "name_char"; readonly next: number }
  | { readonly kind: "any_char"; readonly next: number }
  | { readonly kind: "fork"; readonly next: readonly number[] }
  | { readonly kind: "end" };

export interface States {
  /** Distinct, in no particular order; empty: nothing more can match. */
  readonly members: readonly number[];
  /** The states each character leads to from here, as far as known. */
  readonly known: Map<number, States>;
}

/**
 * Maximum number of cached transitions, so that hostile patterns and names cannot fill the memory.
 */
const KNOWN_MAX = 4_096;

/**
 * Advances a set of states character by character, so the time is states × characters for any
 * pattern (no ReDoS). Transitions are cached, because names have much in common.
 */
class GlobWalker {
  readonly #steps: readonly Step[];
  /** The turn in which a state was last added: a set without allocation. */
  readonly #seen: Uint32Array;
  readonly #sets = new Map<string, States>();
  #turn = 0;
  #known = 0;

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
    this.#seen = new Uint32Array(steps.length);
  }

  start(first: number): States {
    return this.#setOf(this.#closure([first]));
  }

  advance(states: States, text: string): States {
    let current = states;
    for (let at = 0; at < text.length && current.members.length > 0; at += 1) {
      const code = text.codePointAt(at) ?? 0;
      if (code > 0xffff) at += 1;
      current = current.known.get(code) ?? this.#step(current, code);
    }
    return current;
  }

  #step(states: States, code: number): States {
    const next = this.#setOf(this.#closure(this.#after(states, code)));
    if (this.#known < KNOWN_MAX) {
      this.#known += 1;
      states.known.set(code, next);
    }
    return next;
  }

  /** The only object for a set, so that its cached transitions are shared. */
  #setOf(found: readonly number[]): States {
    if (this.#known >= KNOWN_MAX) return { members: found, known: new Map() };
    const members = found.toSorted((one, other) => one - other);
    const key = members.join();
    const states = this.#sets.get(key) ?? { members, known: new Map() };
    this.#sets.set(key, states);
    return states;
  }

  #closure(from: readonly number[]): readonly number[] {
    this.#turn += 1;
    const open = [...from];
    const states: number[] = [];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (this.#seen[state] === this.#turn) continue;
      this.#seen[state] = this.#turn;
      const step = this.#steps[state];
      if (step?.kind === "fork") open.push(...step.next);
      else states.push(state);
    }
    return states;
  }

  #after({ members }: States, code: number): number[] {
    const reached: number[] = [];
    for (const state of members) {
      const step = this.#steps[state];
      if (step === undefined || step.kind === "fork" || step.kind === "end") continue;
      const passes =
        step.kind === "any_char" || (step.kind === "char" ? step.code === code : code !== SLASH);
      if (passes) reached.push(step.next);
    }
    return reached;
  }
}
