import { parseArgs } from "node:util";
import { EXPORT_FORMATS, type ExportFormat } from "../../app/contract/audit-log.ts";
import { errorKind } from "../../app/contract/coded-error.ts";

export const AUDIT_USAGE = `npm run audit -- <command>

  verify   [--data-dir <folder> | --file <exported file>] [--json]
  acknowledge  [--data-dir <folder>]
  export   --format csv|jsonl [--output <file> [--force]] [--from <time>] [--to <time>]
           [--subjects] [--data-dir <folder>]
  salvage  --file <damaged database> --output <file> [--force]
  seed     <records> [--seed <number>] [--data-dir <folder>]

A time is ISO 8601, as 2026-01-31T12:00:00Z, or a date, as 2026-01-31, which is that whole day
in UTC; both ends count in.
acknowledge says that you have seen that an older copy of the log was put back.
verify ends with 0 where the log holds, 1 where it does not, 2 where it cannot be read.`;

export type AuditCommand =
  | {
      readonly command: "verify";
      readonly dataDir: string | null;
      readonly file: string | null;
      readonly json: boolean;
    }
  | { readonly command: "acknowledge"; readonly dataDir: string | null }
  | {
      readonly command: "export";
      readonly dataDir: string | null;
      readonly format: ExportFormat;
      /** Null: standard output. */
      readonly output: string | null;
      readonly replace: boolean;
      /** Milliseconds since the epoch. */
      readonly from: number | null;
      readonly to: number | null;
      /** Whether digests of what calls are about are included. */
      readonly subjects: boolean;
    }
  | {
      readonly command: "salvage";
      readonly file: string;
      readonly output: string;
      readonly replace: boolean;
    }
  | {
      readonly command: "seed";
      readonly dataDir: string | null;
      readonly records: number;
      readonly seed: number;
    };

/** The command line is invalid; the message is a sentence for the person who typed it. */
export const usageError = errorKind<"usage">("UsageError");

type Values = ReturnType<typeof parse>["values"];
type Reader = (values: Values, words: readonly string[]) => AuditCommand;

/** Each command's additional flags, and how it is parsed. */
const COMMANDS: Readonly<Record<string, readonly [flags: readonly (keyof Values)[], Reader]>> = {
  verify: [["data-dir", "file", "json"], readVerify],
  acknowledge: [["data-dir"], readAcknowledge],
  export: [["data-dir", "format", "output", "force", "from", "to", "subjects"], readExport],
  salvage: [["file", "output", "force"], readSalvage],
  seed: [["data-dir", "seed"], readSeed],
};

/** @throws UsageError */
export function readAuditFlags(argv: readonly string[]): AuditCommand {
  const { values, positionals } = parse(argv);
  const [name = "", ...words] = positionals;
  const [flags, read] = (Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined) ?? [];
  if (flags === undefined || read === undefined)
    throw usageError("usage", { message: AUDIT_USAGE });
  for (const flag of Object.keys(values)) {
    if (!flags.some((each) => each === flag))
      throw usageError("usage", { message: `${name} takes no --${flag}.` });
  }
  if (words.length > (name === "seed" ? 1 : 0)) throw usageError("usage", { message: AUDIT_USAGE });
  return read(values, words);
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        "data-dir": { type: "string" },
        file: { type: "string" },
        json: { type: "boolean" },
        format: { type: "string" },
        output: { type: "string" },
        force: { type: "boolean" },
        from: { type: "string" },
        to: { type: "string" },
        subjects: { type: "boolean" },
        seed: { type: "string" },
      },
    });
  } catch (error) {
    const said = error instanceof Error ? `${error.message}\n\n` : "";
    throw usageError("usage", { message: `${said}${AUDIT_USAGE}` });
  }
}

function readVerify(values: Values): AuditCommand {
  const { file = null, json = false } = values;
  const dataDir = values["data-dir"] ?? null;
  if (file !== null && dataDir !== null) {
    throw usageError("usage", { message: "verify takes a data folder or a file, not both." });
  }
  return { command: "verify", dataDir, file, json };
}

function readAcknowledge(values: Values): AuditCommand {
  return { command: "acknowledge", dataDir: values["data-dir"] ?? null };
}

function readExport(values: Values): AuditCommand {
  const format = EXPORT_FORMATS.find((each) => each === values.format);
  if (format === undefined) {
    throw usageError("usage", { message: `--format takes one of: ${EXPORT_FORMATS.join(", ")}` });
  }
  const { subjects = false } = values;
  if (subjects && format !== "jsonl")
    throw usageError("usage", { message: "--subjects takes --format jsonl." });
  return {
    command: "export",
    dataDir: values["data-dir"] ?? null,
    format,
    output: values.output ?? null,
    replace: values.force ?? false,
    from: timeOf("--from", values.from),
    to: timeOf("--to", values.to),
    subjects,
  };
}

function readSalvage({ file, output, force = false }: Values): AuditCommand {
  if (file === undefined || output === undefined) {
    throw usageError("usage", { message: "salvage takes --file and --output." });
  }
  return { command: "salvage", file, output, replace: force };
}

function readSeed(values: Values, [count]: readonly string[]): AuditCommand {
  const records = numberOf("The number of records", count ?? "");
  const seed = numberOf("--seed", values.seed ?? "1");
  return { command: "seed", dataDir: values["data-dir"] ?? null, records, seed };
}

function numberOf(what: string, text: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw usageError("usage", { message: `${what} is a whole number up to 999999999.` });
  return Number(text);
}

const ISO = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/;

const DATE_LENGTH = "2026-01-31".length;
const DAY_MS = 24 * 3_600_000;

function timeOf(flag: "--from" | "--to", text: string | undefined): number | null {
  if (text === undefined) return null;
  const time = ISO.test(text) && isDate(text.slice(0, DATE_LENGTH)) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) {
    throw usageError("usage", {
      message: `${flag} takes an ISO 8601 time such as 2026-01-31T12:00:00Z.`,
    });
  }
  return flag === "--to" && text.length === DATE_LENGTH ? time + DAY_MS - 1 : time;
}

/** `Date.parse` takes 31 February for a day in March. */
const isDate = (text: string): boolean => new Date(text).toJSON()?.startsWith(text) ?? false;
