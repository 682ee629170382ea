import { parseArgs } from "node:util";

export const SUITES = [
  "calls",
  "files",
  "audit",
  "purge",
  "walk",
  "relay",
  "prompt",
  "encryption",
  "agent-host",
  "mcp",
  "start",
] as const;
export type SuiteName = (typeof SUITES)[number];

export interface Flags {
  /** What is measured. Default: `calls`. */
  readonly suite: SuiteName;
  /** How often each subject is measured. */
  readonly rounds: number;
  /** Calls per subject and turn, in each mode. */
  readonly calls: number;
  /** Number of files in the tree that is searched. */
  readonly files: number;
  /** Number of records in the log that is read and purged. */
  readonly records: number;
  /** Calls after which the client's memory is read. */
  readonly memoryCalls: number;
  /** A data folder with a seeded log to use; null: one is created. */
  readonly seeded: string | null;
  readonly json: boolean;
  /** Where the client writes its CPU profile; null: it is not profiled. */
  readonly profile: string | null;
}

const USUAL = { rounds: 10, calls: 300, files: 100_000, records: 10_000_000, memoryCalls: 100_000 };
const QUICK = { rounds: 3, calls: 60, files: 10_000, records: 200_000, memoryCalls: 2_000 };

/** @throws RangeError, TypeError for invalid flags */
export function readFlags(argv: readonly string[]): Flags {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      rounds: { type: "string" },
      calls: { type: "string" },
      files: { type: "string" },
      records: { type: "string" },
      "memory-calls": { type: "string" },
      seeded: { type: "string" },
      quick: { type: "boolean" },
      json: { type: "boolean" },
      profile: { type: "string" },
    },
  });
  const usual = values.quick === true ? QUICK : USUAL;
  return {
    suite: suiteOf(positionals),
    rounds: countOf("rounds", values.rounds, usual.rounds),
    calls: countOf("calls", values.calls, usual.calls),
    files: countOf("files", values.files, usual.files),
    records: countOf("records", values.records, usual.records),
    memoryCalls: countOf("memory-calls", values["memory-calls"], usual.memoryCalls),
    seeded: values.seeded ?? null,
    json: values.json === true,
    profile: values.profile ?? null,
  };
}

function suiteOf([name = "calls", ...more]: readonly string[]): SuiteName {
  const suite = SUITES.find((one) => one === name);
  if (suite !== undefined && more.length === 0) return suite;
  throw new RangeError(`one of ${SUITES.join(", ")} is wanted`);
}

function countOf(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new RangeError(`--${name} wants a whole number from 1`);
}
