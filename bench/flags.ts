import { parseArgs } from "node:util";

export const SUITES = [
  "overview",
  "calls",
  "files",
  "audit",
  "purge",
  "walk",
  "search",
  "relay",
  "look-ups",
  "fleet",
  "prompt",
  "day",
  "coding-day",
  "encryption",
  "agent-host",
  "mcp",
  "hook",
  "start",
  "scale",
] as const;
export type SuiteName = (typeof SUITES)[number];

export interface Flags {
  /** What is measured. Default: `overview`. */
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
  /** Calls of the flood in which the page is checked. */
  readonly flood: number;
  /** Number of agents, and of grants, that the store holds. */
  readonly agents: number;
  readonly grants: number;
  /** A data folder with a seeded log to use; null: one is created. */
  readonly seeded: string | null;
  readonly json: boolean;
  /** Where the client writes its CPU profile; null: it is not profiled. */
  readonly profile: string | null;
}

const USUAL = {
  rounds: 10,
  calls: 300,
  files: 100_000,
  records: 10_000_000,
  memoryCalls: 100_000,
  flood: 10_000,
  agents: 1_000,
  grants: 100_000,
};
const QUICK: typeof USUAL = {
  rounds: 3,
  calls: 60,
  files: 10_000,
  records: 200_000,
  memoryCalls: 2_000,
  flood: 500,
  agents: 100,
  grants: 10_000,
};

export const USAGE = `npm run bench -- [SUITE] [FLAG...]

Without a suite: an overview of all that fits into three minutes, with the sizes of --quick.
Suites: ${SUITES.join(", ")}

  --rounds N         how often each subject is measured (${USUAL.rounds})
  --calls N          calls of each subject in each mode per round (${USUAL.calls})
  --files N          files: how many the searched tree has (${USUAL.files})
  --records N        audit, walk, search, purge, scale: how many records the log has (${USUAL.records})
  --memory-calls N   start: after how many calls memory is read again (${USUAL.memoryCalls})
  --flood N          prompt: how many calls the flood has (${USUAL.flood})
  --agents N         scale: how many agents are known (${USUAL.agents})
  --grants N         scale: how many grants are in force (${USUAL.grants})
  --seeded FOLDER    audit, walk, search, scale: uses the log of this data folder
  --quick            small sizes: ${Object.entries(QUICK)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ")}
  --profile FOLDER   writes the client's CPU profile there
  --json             prints JSON, with a description of the machine
  --help             prints this`;

/**
 * Null: only help is wanted.
 * @throws RangeError, TypeError for invalid flags
 */
export function readFlags(argv: readonly string[]): Flags | null {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      rounds: { type: "string" },
      calls: { type: "string" },
      files: { type: "string" },
      records: { type: "string" },
      "memory-calls": { type: "string" },
      flood: { type: "string" },
      agents: { type: "string" },
      grants: { type: "string" },
      seeded: { type: "string" },
      quick: { type: "boolean" },
      json: { type: "boolean" },
      profile: { type: "string" },
      help: { type: "boolean" },
    },
  });
  if (values.help === true) return null;
  const suite = suiteOf(positionals);
  const usual = values.quick === true || suite === "overview" ? QUICK : USUAL;
  return {
    suite,
    rounds: countOf("rounds", values.rounds, usual.rounds),
    calls: countOf("calls", values.calls, usual.calls),
    files: countOf("files", values.files, usual.files),
    records: countOf("records", values.records, usual.records),
    memoryCalls: countOf("memory-calls", values["memory-calls"], usual.memoryCalls),
    flood: countOf("flood", values.flood, usual.flood),
    agents: countOf("agents", values.agents, usual.agents),
    grants: countOf("grants", values.grants, usual.grants),
    seeded: values.seeded ?? null,
    json: values.json === true,
    profile: values.profile ?? null,
  };
}

function suiteOf([name = "overview", ...more]: readonly string[]): SuiteName {
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
