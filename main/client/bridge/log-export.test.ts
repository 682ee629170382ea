import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { verifyFile } from "../../audit-log/index.ts";
import { NOW, ScratchLog } from "../../audit-log/testing/scratch-log.ts";
import type { OutgoingFile } from "../host-port.ts";
import { byPercent, logExport } from "./log-export.ts";

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
      targetOf: () => undefined,
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
    targetOf: () => undefined,
    deliver: async () => ({ kind: "cancelled" }),
  });
  expect(await exporting({ format: "csv" })).toEqual({ kind: "cancelled" });
});

it("reports a progress of ten thousand steps a hundred times", () => {
  const told: number[] = [];
  const progress = byPercent((done) => told.push(done));
  for (let done = 1; done <= 10_000; done += 1) progress(done, 10_000);
  expect(told).toHaveLength(100);
  expect(told.at(0)).toBe(100);
  expect(told.at(-1)).toBe(10_000);
});

it("reports every step of a short one", () => {
  const told: number[] = [];
  const progress = byPercent((done) => told.push(done));
  for (const done of [1, 2, 3]) progress(done, 3);
  expect(told).toEqual([1, 2, 3]);
});
