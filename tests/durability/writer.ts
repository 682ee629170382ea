import { randomBytes } from "node:crypto";
import { existsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type OpenedStore, openStore, type Store } from "../../main/storage/index.ts";
import { LogFault } from "./check-log.ts";
import { checkOpened } from "./check-opened.ts";
import { LogRows } from "./log-rows.ts";
import { intentOf, madeCall, outcomeOf, refusalOf } from "./made-calls.ts";
import type { Acknowledged, Stage, WriterLine, WriterOrder } from "./writer-lines.ts";

/*
 * Opens the store, checks what earlier writers were promised, and appends calls until it is killed.
 * Its only argument is a `WriterOrder`; it reports what it does as lines of JSON.
 */

// Each line reaches the pipe before the next step, so a kill cannot undo what was reported.
function say(line: WriterLine): void {
  let rest = Buffer.from(`${JSON.stringify(line)}\n`);
  while (rest.length > 0) rest = rest.subarray(written(rest));
}

/** Number of bytes; 0 while the pipe is full because its reader has not caught up. */
function written(bytes: Uint8Array): number {
  try {
    return writeSync(1, bytes);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    return 0;
  }
}
const enter = (stage: Stage): void => say({ type: "stage", stage });

const order: WriterOrder = JSON.parse(process.argv[2] ?? "");
let jumped = 0;
/** Milliseconds. */
const ANCHOR_LAG_MS = 5;

async function work({ dataDir, ending }: WriterOrder): Promise<void> {
  enter(existsSync(join(dataDir, "consentry.db")) ? "opening" : "migrating");
  const opened = open(dataDir);
  const { store } = opened;
  enter("checking");
  const log = new LogRows(dataDir);
  say({ type: "checked", checked: await checkOpened(opened, log, order) });
  enter("writing");
  await burst(store, log, "a");
  if (ending === "checkpoint") {
    enter("checkpointing");
    await Promise.all([store.maintain(), burst(store, log, "b")]);
  }
  if (ending === "purge") {
    jumped = order.jumpMs;
    enter("purging");
    await Promise.all([store.maintain(), burst(store, log, "b")]);
  }
  enter("closing");
  store.close();
  log.close();
  enter("closed");
}

function open(dataDir: string): OpenedStore {
  return openStore({
    dataDir,
    wallClock: { now: () => order.wall + performance.now() + jumped },
    monotonic: { now: () => performance.now() + jumped },
    random: (bytes) => randomBytes(bytes),
    readerWorker: new URL(process.env.READER_WORKER ?? "missing:"),
    anchor: {
      file: order.anchor,
      // Earlier than normal, because few writers live for a second.
      scheduler: { after: (_ms, run) => stopper(setTimeout(run, ANCHOR_LAG_MS)) },
      failed: (error) => {
        throw error;
      },
    },
  });
}

const stopper = (timer: NodeJS.Timeout) => () => clearTimeout(timer);

function burst(store: Store, log: LogRows, part: string): Promise<unknown> {
  const lanes = Array.from({ length: order.callsAtOnce }, (_, lane) =>
    callAfterCall(store, log, `${order.name}-${part}${lane}`),
  );
  return Promise.all(lanes);
}

async function callAfterCall(store: Store, log: LogRows, prefix: string): Promise<void> {
  const { ledger, clock } = store;
  for (let count = 0; count < order.callsEach; count += 1) {
    const made = madeCall(`${prefix}-${count}`, count);
    const { call, response } = made;
    const acknowledge = (kind: Acknowledged["kind"], timestamp: number) => {
      const place = log.place(made.agent_id, call.call_id, kind);
      if (place === undefined) throw new LogFault(`${kind} ${call.call_id} was never there`);
      const record = { kind, call_id: call.call_id, ...place, timestamp };
      say({ type: "acknowledged", record });
    };
    if (count % 5 === 4) {
      const refusal = refusalOf(made, clock.now());
      const answer = { call_id: call.call_id, status: "denied", reason: "user_refused" } as const;
      await ledger.recordOutcome(refusal, { call, response: answer });
      acknowledge("outcome", refusal.timestamp);
      continue;
    }
    const intent = intentOf(made, clock.now());
    await ledger.recordIntent(intent);
    acknowledge("intent", intent.timestamp);
    const outcome = outcomeOf(made, clock.now());
    await ledger.recordOutcome(outcome, { call, response });
    acknowledge("outcome", outcome.timestamp);
  }
}

try {
  await work(order);
} catch (error) {
  say({ type: "fault", fault: error instanceof Error ? `${error.name} ${error.message}` : "?" });
  process.exitCode = 1;
}
