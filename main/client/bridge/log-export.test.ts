import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { verifyFile } from "../../audit-log/index.ts";
import { NOW, ScratchLog } from "../../audit-log/testing/scratch-log.ts";
import type { OutgoingFile } from "../host-port.ts";
import { logExport } from "./log-export.ts";

const log = ScratchLog.forEachTest();

const clock = { now: () => NOW };

async function verified(file: OutgoingFile | undefined) {
  if (file === undefined) throw new Error("no file was handed out");
  const parts: Uint8Array[] = [];
  for await (const part of file.open(new AbortController().signal)) parts.push(part);
  const path = log.path(file.name);
  writeFileSync(path, Buffer.concat(parts));
  return verifyFile(path);
}

it.each(["csv", "jsonl"] as const)(
  "hands out the log as a %s file that verifies",
  async (format) => {
    await log.write(40);
    const handed: OutgoingFile[] = [];
    const exporting = logExport({
      dataDir: log.dataDir,
      clock,
      deliver: async (file) => {
        handed.push(file);
        return { kind: "saved" };
      },
    });
    expect(await exporting({ format })).toEqual({ kind: "saved" });
    await exporting({ format, from: NOW + 11, to: NOW + 20 });
    const [whole, piece] = handed;
    expect(await verified(whole)).toMatchObject({
      verdict: { ok: true, verified: 40 },
      beginning: "genesis",
    });
    expect(await verified(piece)).toMatchObject({
      verdict: { ok: true, verified: 10 },
      firstSeq: 11,
    });
    expect(whole?.name).toBe(`consentry-log-20260101T000000Z.${format}`);
  },
);

it("opens nothing until the file is being written", async () => {
  const exporting = logExport({
    dataDir: log.path("nothing"),
    clock,
    deliver: async () => ({ kind: "cancelled" }),
  });
  expect(await exporting({ format: "csv" })).toEqual({ kind: "cancelled" });
});
