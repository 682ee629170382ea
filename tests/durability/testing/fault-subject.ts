import { randomBytes } from "node:crypto";
import type { IntentRecord, OutcomeRecord } from "../../../app/audit/audit-record.ts";
import { handleCall } from "../../../app/execution/handle-call.ts";
import type { CallLedger } from "../../../app/execution/ports.ts";
import { ChainHarness, callTo } from "../../../app/execution/testing/chain-harness.ts";
import { openStore, type Store, storeError } from "../../../main/storage/index.ts";
import { FaultControl } from "../fault-control.ts";
import type { AnsweredCall, FaultOrder, FaultReport } from "../fault-lines.ts";

/*
 * The chain of calls over the real store, with tools that only count, while the disk fails. Its
 * only argument is a `FaultOrder`; it prints one `FaultReport`.
 */

const CALLS_AT_ONCE = 4;

class Subject {
  readonly #chain = new ChainHarness();
  readonly #acknowledged: string[] = [];
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  get acknowledged(): readonly string[] {
    return this.#acknowledged;
  }

  /** Handles the calls in groups, each group in parallel; every fourth call is refused. */
  async handle(ids: readonly string[]): Promise<readonly AnsweredCall[]> {
    const answers: AnsweredCall[] = [];
    for (let from = 0; from < ids.length; from += CALLS_AT_ONCE) {
      const group = ids.slice(from, from + CALLS_AT_ONCE);
      answers.push(...(await Promise.all(group.map((id) => this.#answer(id)))));
    }
    return answers.map((answer) => ({ ...answer, ran: this.#timesRun(answer.call_id) }));
  }

  async #answer(call_id: string): Promise<AnsweredCall> {
    const { ports } = this.#chain;
    const over = { ...ports, ledger: this.#watched(), clock: this.#store.clock };
    const refused = Number(call_id.slice(call_id.lastIndexOf("-") + 1)) % CALLS_AT_ONCE === 3;
    const tool = refused ? "launch_rocket" : "send_notification";
    const answer = await handleCall(over, callTo(tool, { call_id, args: { title: call_id } }));
    const reason = answer === null || answer.status === "ok" ? null : answer.reason;
    return { call_id, status: answer?.status ?? "postponed", reason: reason ?? null, ran: 0 };
  }

  #timesRun(call_id: string): number {
    return this.#chain.ran.filter(({ args }) => args.title === call_id).length;
  }

  #watched(): CallLedger {
    const { ledger } = this.#store;
    const note = (record: IntentRecord | OutcomeRecord) =>
      this.#acknowledged.push(`${record.kind} ${record.call_id}`);
    return {
      canRecord: () => ledger.canRecord(),
      find: (agentId, callId) => ledger.find(agentId, callId),
      pastResponse: (agentId, call) => ledger.pastResponse(agentId, call),
      recordIntent: async (intent) => {
        await ledger.recordIntent(intent);
        note(intent);
      },
      recordOutcome: async (outcome, answered) => {
        await ledger.recordOutcome(outcome, answered);
        note(outcome);
      },
    };
  }
}

const codeOf = (error: unknown): string => {
  // Anything else is a bug of ours: it ends the subject, and with it the run.
  if (!storeError.is(error)) throw error;
  return error.code;
};

const ids = (part: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, number) => `${part}-${number}`);

function openAtLast(order: FaultOrder, control: FaultControl): [Store, readonly string[]] {
  const open = () =>
    openStore({
      dataDir: order.dataDir,
      wallClock: { now: () => order.wall + performance.now() },
      monotonic: { now: () => performance.now() },
      random: (bytes) => randomBytes(bytes),
    }).store;
  try {
    return [open(), []];
  } catch (error) {
    const code = codeOf(error);
    control.lift();
    return [open(), [code]];
  }
}

async function run(order: FaultOrder): Promise<FaultReport> {
  const control = new FaultControl(order.control);
  const [store, openings] = openAtLast(order, control);
  const subject = new Subject(store);
  const first = await subject.handle(ids("first", 8));
  const maintenance = await store.maintain().then(() => null, codeOf);
  const second = await subject.handle(ids("second", 8));
  const healed = control.injected > 0;
  // A fault may still occur until the last write of closing.
  if (healed) control.lift();
  const afterwards = await subject.handle(ids("after", 4));
  const unheard = [...first, ...second].filter(({ reason }) => reason === "audit_unavailable");
  const again = await subject.handle(unheard.map(({ call_id }) => call_id));
  let closing: string | null = null;
  try {
    store.close();
  } catch (error) {
    closing = codeOf(error);
  }
  const { acknowledged } = subject;
  const during = [...first, ...second];
  return { openings, healed, during, afterwards, again, acknowledged, maintenance, closing };
}

const report = await run(JSON.parse(process.argv[2] ?? ""));
process.stdout.write(`${JSON.stringify(report)}\n`);
