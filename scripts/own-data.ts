import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { readFlags } from "./read-flags.ts";

/**
 * Reads a file with everything of a person's (docs/own-data.md) and counts what is in it. `--log`: also writes
 * the log in it to a file of its own, which `npm run audit -- verify --file` verifies.
 */
const USAGE = "Usage: npm run own-data -- FILE [--log FILE]";
const { values, positionals } = readFlags(USAGE, {
  allowPositionals: true,
  options: { log: { type: "string" } },
});
const [file] = positionals;
if (file === undefined) {
  console.error(USAGE);
  process.exit(2);
}

const counts = new Map<string, number>();
const log = values.log === undefined ? null : createWriteStream(values.log, { mode: 0o600 });
const input = createReadStream(file);
input.once("error", () => fail("The file cannot be read."));
let isLog = false;
let number = 0;
for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
  number += 1;
  const kind = isLog ? "log" : kindOf(line, number);
  if (kind === "log" && !isLog) isLog = true;
  else if (isLog && log !== null && !log.write(`${line}\n`)) await once(log, "drain");
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
}
if (!isLog) fail("The file was cut off: its log is missing.");
log?.end();
// Besides its entries, the log has a line that opens it and its own first line.
counts.set("log", Math.max(0, (counts.get("log") ?? 0) - 2));
for (const [kind, count] of counts) console.log(`${kind}: ${count}`);

function kindOf(line: string, at: number): string {
  const value = objectIn(line);
  if (at === 1) {
    if (value?.format === "consentry-export" && value.version === 2) return "header";
    return fail("This is no file with a person's data, or one of another version.");
  }
  return typeof value?.kind === "string" ? value.kind : fail(`Line ${at} cannot be read.`);
}

function objectIn(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

function fail(said: string): never {
  console.error(said);
  process.exit(1);
}
