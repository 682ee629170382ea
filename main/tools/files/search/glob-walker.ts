export const SLASH = 0x2f;

/** A step of a compiled pattern; number 0 is its end. */
export type Step =
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
export class GlobWalker {
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
