import { randomBytes } from "node:crypto";
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { openStore } from "../open-store.ts";
import { call, intent, okResponse, outcome } from "./scratch-store.ts";

// A killed process leaves nothing behind for the next one to start with.
flushCompileCache();

/**
 * Appends calls as fast as it can until it is killed, and prints the id of each acknowledged
 * record. Arguments: the data folder, and a prefix for the ids of this run.
 */
const [, , dataDir = "", prefix = ""] = process.argv;
const { store } = openStore({
  dataDir,
  wallClock: { now: () => Date.now() },
  monotonic: { now: () => performance.now() },
  random: (bytes) => randomBytes(bytes),
});

async function appendForever(lane: number): Promise<never> {
  for (let count = 0; ; count += 1) {
    const made = call(`${prefix}-${lane}-${count}`);
    await store.ledger.recordIntent(intent(made, store.clock.now()));
    writeSync(1, `intent ${made.call_id}\n`);
    await store.ledger.recordOutcome(outcome(made, store.clock.now()), {
      call: made,
      response: okResponse(made, { content: made.call_id }),
    });
    writeSync(1, `outcome ${made.call_id}\n`);
  }
}

await Promise.all([0, 1, 2, 3].map(appendForever));
