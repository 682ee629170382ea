import { existsSync, readFileSync } from "node:fs";
import type { CallLedger } from "../../app/execution/ports.ts";
import type { OpenedStore, Store } from "../../main/storage/index.ts";
import { checkStretch, keptOf, LogFault } from "./check-log.ts";
import type { LogRows } from "./log-rows.ts";
import { madeCall } from "./made-calls.ts";
import type { Acknowledged, Checked, WriterOrder } from "./writer-lines.ts";

/**
 * Checks a newly opened store against what earlier writers were promised.
 * @throws LogFault
 */
export async function checkOpened(
  { store, setAside, rolledBack }: OpenedStore,
  log: LogRows,
  order: WriterOrder,
): Promise<Checked> {
  if (setAside !== null) throw new LogFault("a killed writer's database was set aside");
  if (rolledBack) throw new LogFault("the log does not reach as far as its anchor");
  const { acknowledgements, uncheckedFrom, lastChecked, full } = order;
  const lines = existsSync(acknowledgements) ? readFileSync(acknowledgements) : Buffer.of();
  const unchecked = readLines(lines.subarray(uncheckedFrom));
  const { head, records, interrupted } = checkStretch(
    log.after(lastChecked.seq),
    lastChecked,
    unchecked,
  );
  for (const id of interrupted) answersInterrupted(store.ledger, id);
  const verified = full ? await checkWhole(store, log, readLines(lines)) : 0;
  return { head, records, interrupted: interrupted.length, verified };
}

const readLines = (bytes: Buffer): readonly Acknowledged[] =>
  bytes
    .toString()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

/** A call's id ends with its number. */
const madeAgain = (id: string) => madeCall(id, Number(id.slice(id.lastIndexOf("-") + 1)));

function answersInterrupted(ledger: CallLedger, id: string): void {
  const { call, agent_id } = madeAgain(id);
  const answer = ledger.pastResponse(agent_id, call);
  if (answer?.status === "error" && answer.reason === "interrupted") return;
  throw new LogFault(`${id} is not answered as interrupted`);
}

/** @returns how many records the log has */
async function checkWhole(
  store: Store,
  log: LogRows,
  acknowledged: readonly Acknowledged[],
): Promise<number> {
  const verdict = await store.activity.verify();
  if (!verdict.ok) throw new LogFault(`verification: ${verdict.fault} at ${verdict.seq}`);
  const records = [...log.after(0)];
  const [first] = records;
  if (first === undefined) {
    if (acknowledged.length > 0) throw new LogFault("the log is empty");
    return 0;
  }
  const kept = keptOf(acknowledged, first.seq, store.clock.now());
  checkStretch(records, { seq: first.seq - 1, hash: first.prev_hash }, kept);
  return verdict.verified;
}
