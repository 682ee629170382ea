import { parseArgs } from "node:util";

export interface Flags {
  /** How often every subject has its turn. */
  readonly rounds: number;
  /** Calls of one subject in one turn, in each mode. */
  readonly calls: number;
  readonly json: boolean;
  /** Where the client leaves its CPU profile; null: it is not profiled. */
  readonly profile: string | null;
}

const USUAL = { rounds: 10, calls: 300 };
const QUICK = { rounds: 3, calls: 60 };

/** @throws RangeError, TypeError on what it cannot read */
export function readFlags(argv: readonly string[]): Flags {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      rounds: { type: "string" },
      calls: { type: "string" },
      quick: { type: "boolean" },
      json: { type: "boolean" },
      profile: { type: "string" },
    },
  });
  const usual = values.quick === true ? QUICK : USUAL;
  return {
    rounds: countOf("rounds", values.rounds, usual.rounds),
    calls: countOf("calls", values.calls, usual.calls),
    json: values.json === true,
    profile: values.profile ?? null,
  };
}

function countOf(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new RangeError(`--${name} wants a whole number from 1`);
}
