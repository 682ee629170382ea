import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/**
 * Verifies an exported JSONL file as docs/audit-log.md tells it, with nothing of ours: what a
 * second implementer would write. Returns how many records fit.
 */
export function verifyIndependently(path: string): number {
  const [head = "", ...lines] = readFileSync(path, "utf8").trimEnd().split("\n");
  const header = JSON.parse(head);
  if (header.format !== "consentry-audit-log" || header.version !== 1) throw new Error("format");
  let seq: number = header.first_seq;
  let previous: string = header.first_prev_hash;
  const first = { seq: seq - 1, hash: previous };
  let isVouchedFor = header.whole !== true || (seq === 1 && previous === "0".repeat(64));
  for (const line of lines) {
    const { hash, subjects: _, ...hashed } = JSON.parse(line);
    if (hashed.seq !== seq || hashed.prev_hash !== previous) throw new Error(`link at ${seq}`);
    const bytes = Buffer.from(sortedJson(hashed), "utf8");
    if (createHash("sha256").update(bytes).digest("hex") !== hash)
      throw new Error(`hash at ${seq}`);
    const { kind, purged_through_seq, purged_through_hash } = hashed.record;
    isVouchedFor ||=
      kind === "checkpoint" &&
      purged_through_seq === first.seq &&
      purged_through_hash === first.hash;
    previous = hash;
    seq += 1;
  }
  if (lines.length > 0 && (header.head_seq !== seq - 1 || header.head_hash !== previous)) {
    throw new Error("end");
  }
  if (!isVouchedFor) throw new Error("beginning");
  return lines.length;
}

/** RFC 8785 for what is in a record: objects, texts, integers, null. Keys are ASCII. */
function sortedJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([key, each]) => `${JSON.stringify(key)}:${sortedJson(each)}`).join(",")}}`;
}
