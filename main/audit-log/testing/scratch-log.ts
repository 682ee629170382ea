import { join } from "node:path";
import type { OutcomeRecord } from "../../../app/audit/audit-record.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import { type LogSource, openLog, openStore, type Store } from "../../storage/index.ts";
import { ScratchFolder } from "../../testing/scratch-folder.ts";

export const NOW = Date.UTC(2026, 0, 1);

/** A data folder with a log in it, written by the real store. */
export class ScratchLog extends ScratchFolder {
  wall = NOW;
  #opened: LogSource[] = [];

  get dataDir(): string {
    return this.path("data");
  }

  get file(): string {
    return this.path("data", "consentry.db");
  }

  store(): Store {
    return openStore({
      dataDir: this.dataDir,
      wallClock: { now: () => this.wall },
      monotonic: { now: () => this.wall - NOW },
      random: (bytes) => new Uint8Array(bytes),
    }).store;
  }

  /** Writes a number of refused calls, one millisecond apart, and closes. */
  async write(count: number, change: (at: number) => Partial<OutcomeRecord> = () => ({})) {
    const store = this.store();
    await this.append(store, count, change);
    store.close();
  }

  async append(
    store: Store,
    count: number,
    change: (at: number) => Partial<OutcomeRecord> = () => ({}),
    args: JsonObject = {},
  ) {
    const written: Promise<void>[] = [];
    for (let at = 1; at <= count; at += 1) {
      this.wall += 1;
      const timestamp = store.clock.now();
      const record = { ...refusal(at), timestamp, ...change(at) };
      written.push(store.ledger.recordOutcome(record, undefined, args));
    }
    await Promise.all(written);
  }

  open(): LogSource {
    const source = openLog(this.dataDir);
    this.#opened.push(source);
    return source;
  }

  path(...names: string[]): string {
    return join(this.base, ...names);
  }

  override renew(): void {
    super.renew();
    this.wall = NOW;
  }

  override remove(): void {
    for (const source of this.#opened.splice(0)) source.close();
    super.remove();
  }
}

const refusal = (at: number): Omit<OutcomeRecord, "timestamp"> => ({
  kind: "outcome",
  call_id: `call-${at}`,
  agent_id: "agent-1",
  tool_name: "read_file",
  scope: "filesystem:read",
  arguments_digest: "a".repeat(64),
  conversation_id: "conversation-1",
  transport: "hub",
  decided_by: "contract",
  status: "denied",
  reason: "scope_not_granted",
  error_code: null,
  duration_ms: 2,
});
