import { createReadStream } from "node:fs";
import { EXPORT_LINE_BYTES } from "../app/contract/own-data.ts";
import { LineSplitter } from "../main/audit-log/split-lines.ts";
import { readFlags } from "../runtime/read-flags.ts";

/** Counts what is in an exported file (docs/own-data.md). */
const USAGE = "Usage: npm run own-data -- FILE";
const { positionals } = readFlags(USAGE, { allowPositionals: true, options: {} });
const [file] = positionals;
if (file === undefined) {
  console.error(USAGE);
  process.exit(2);
}

const counts = new Map<string, number>();
/** The log's own lines. */
let [first, last] = ["", ""];
let isLog = false;
let number = 0;
for await (const line of linesIn(file)) {
  number += 1;
  if (line === null) fail(`Line ${number} cannot be read.`);
  const kind: string = isLog ? "log" : kindOf(line, number);
  if (isLog) {
    first ||= line;
    last = line;
  }
  isLog ||= kind === "log";
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
}
if (first === "") fail("The file was cut off: its log is missing.");
const end = objectIn(first)?.head_seq;
if (end !== (objectIn(last)?.seq ?? null))
  fail(`The file was cut off: its log ends before entry ${end}.`);
// Besides its entries, the log has a line that opens it and its own first line.
counts.set("log", Math.max(0, (counts.get("log") ?? 0) - 2));
for (const [kind, count] of counts) console.log(`${kind}: ${count}`);

async function* linesIn(path: string): AsyncIterable<string | null> {
  const input = createReadStream(path);
  input.once("error", () => fail("The file cannot be read."));
  const splitter = new LineSplitter(EXPORT_LINE_BYTES);
  for await (const chunk of input) yield* splitter.push(chunk);
  yield* splitter.end();
}

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
