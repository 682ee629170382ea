import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import type { ChainHead } from "../../../app/audit/verify-chain.ts";
import { answer, ScratchStore } from "../testing/scratch-store.ts";
import { VerifySteps } from "./verify-steps.ts";

const scratch = ScratchStore.forEachTest();
const DAY = 24 * 3_600_000;

async function session(id: string): Promise<void> {
  const { store } = scratch.open();
  await answer(store, id, "content", store.clock.now());
  store.close();
}

/** Verifies through a connection of its own, which tells what it is about to run. */
async function verify(about: (sql: string) => void) {
  const db = new Database(scratch.file, { readonly: true, verbose: (sql) => about(String(sql)) });
  onTestFinished(() => void db.close());
  const head = db
    .prepare<[], ChainHead>("SELECT seq, hash FROM audit_log ORDER BY seq DESC LIMIT 1")
    .get();
  const controls = { head: head ?? { seq: 0, hash: "" }, progress: () => {} };
  return new VerifySteps(db).verify({ ...controls, pause: async () => {} });
}

it("a log whose beginning is purged before the first step verifies from where it begins then", async () => {
  await session("call-1");
  scratch.pass(20 * DAY);
  await session("call-2");
  scratch.pass(20 * DAY);
  let purges = 0;
  const { verdict, newest } = await verify((sql) => {
    if (!sql.startsWith("SELECT * FROM audit_log") || purges > 0) return;
    purges += 1;
    scratch.open();
  });
  expect(purges).toBe(1);
  expect(verdict).toMatchObject({ ok: true });
  // Two records of the second call, and the purge's checkpoint.
  expect([verdict.verified, newest]).toEqual([3, 5]);
});

it("an empty log verifies", async () => {
  scratch.open().store.close();
  expect(await verify(() => {})).toEqual({ verdict: { ok: true, verified: 0 }, newest: 0 });
});
