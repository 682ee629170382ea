import { createStore } from "zustand/vanilla";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import type { ActivityPage, ActivityRow } from "../../app/bridge/views.ts";
import { errorCode } from "../bridge/page-bridge.ts";
import { type LogQuery, mayMatch } from "./log-filter.ts";

export interface LogPorts {
  /** @throws BridgeError (as a rejection) */
  readonly page: (
    args: LogQuery & { readonly limit: number; readonly before_seq?: number },
  ) => Promise<ActivityPage>;
  readonly after: (delay_ms: number, task: () => void) => void;
  readonly signal: AbortSignal;
}

export interface LogState {
  /** The lines read so far, newest first, without gaps. */
  readonly rows: readonly ActivityRow[];
  /** The `before_seq` of the next page; null: the log ends here; undefined: nothing was read. */
  readonly next: number | null | undefined;
  /** `searching`: the host found little so far. `stopped`: by the person. */
  readonly phase: "idle" | "reading" | "searching" | "stopped" | "failed";
  /** When the oldest line searched so far was written; null if nothing was searched. */
  readonly reached: number | null;
  /** Number of lines newer than those shown, counted up to `MOST_FRESH`. */
  readonly fresh: number;
  readonly failure: BridgeErrorCode | null;
}

/** Lines requested at once, */
export const PAGE_ROWS = 200;
/** and at first: more than a window shows, and soon there, also from the disk. */
export const FIRST_ROWS = 50;
/** Lines in one list; older ones are in a list of their own, up to the time of the last. */
export const MOST_ROWS = 10_000;
export const MOST_FRESH = 999;
const AHEAD_ROWS = PAGE_ROWS / 2;
/** How long after a new line the newest page is read again, however many lines arrive. */
const SETTLE_MS = 250;

export const UNREAD_LOG: LogState = {
  rows: [],
  next: undefined,
  phase: "reading",
  reached: null,
  fresh: 0,
  failure: null,
};

/** Reads page after page. At the top it follows the log; further down it only counts. */
export class LogSession {
  readonly store = createStore<LogState>(() => UNREAD_LOG);
  readonly #ports: LogPorts;
  readonly #query: LogQuery;
  readonly #freshLines = new Set<number>();
  #last = 0;
  #following = true;
  #visible = true;
  #stopped = false;
  #busy = false;
  #headDue = true;
  #headTimed = false;

  constructor(ports: LogPorts, query: LogQuery) {
    this.#ports = ports;
    this.#query = query;
  }

  get #state(): LogState {
    return this.store.getState();
  }

  /** Reads the newest page. */
  start(): void {
    void this.#work();
  }

  /** The visible lines, counted from the newest. */
  show(first: number, last: number): void {
    this.#last = last;
    const following = first === 0;
    const isBack = following && !this.#following;
    this.#following = following;
    if (isBack && this.#state.fresh > 0) this.#headDue = true;
    void this.#work();
  }

  /** False while the window is hidden: then nothing more is read. */
  setVisible(visible: boolean): void {
    this.#visible = visible;
    void this.#work();
  }

  /** A line reported by the host. */
  accept(row: ActivityRow): void {
    const { rows } = this.#state;
    const at = rows.findIndex(({ line_id, seq }) => line_id === row.line_id && seq <= row.seq);
    const matches = mayMatch(row, this.#query);
    if (this.#following) {
      if (matches || at !== -1) this.#headSoon();
      return;
    }
    const isNew = matches && row.line_id > (rows[0]?.seq ?? 0);
    if (isNew && this.#query.about !== undefined) this.#headSoon();
    else if (isNew && this.#freshLines.size < MOST_FRESH) this.#freshLines.add(row.line_id);
    // Updated in place, under its old number: nothing moves while the person reads.
    const updated = at === -1 ? rows : rows.with(at, { ...row, seq: rows[at]?.seq ?? row.seq });
    this.#set({ rows: updated, fresh: this.#freshLines.size });
  }

  /** After a lost connection: lines may have been added that were not reported. */
  catchUp(): void {
    this.#headDue = true;
    this.#set({ failure: null });
    void this.#work();
  }

  stopSearch(): void {
    this.#stopped = true;
    this.#set({ phase: "stopped" });
  }

  resume(): void {
    this.#stopped = false;
    this.#set({ failure: null, phase: "reading" });
    void this.#work();
  }

  #headSoon(): void {
    if (this.#headTimed) return;
    this.#headTimed = true;
    this.#ports.after(SETTLE_MS, () => {
      this.#headTimed = false;
      this.#headDue = true;
      void this.#work();
    });
  }

  /** One request at a time: each continues where the last one ended. */
  async #work(): Promise<void> {
    if (this.#busy || this.#state.failure !== null) return;
    this.#busy = true;
    try {
      while (!this.#ports.signal.aborted && this.#visible && this.#isDue()) {
        await (this.#headDue ? this.#readHead() : this.#readOn());
      }
      const ended = this.#stopped && this.#state.next !== null;
      this.#set({ phase: ended ? "stopped" : "idle" });
    } catch (error) {
      if (this.#ports.signal.aborted) return;
      this.#set({ phase: "failed", failure: errorCode(error) });
    } finally {
      this.#busy = false;
    }
  }

  #isDue(): boolean {
    const { rows, next } = this.#state;
    const isNear = this.#last + AHEAD_ROWS >= rows.length && rows.length < MOST_ROWS;
    return this.#headDue || (next !== null && isNear && !this.#stopped);
  }

  async #readHead(): Promise<void> {
    this.#headDue = false;
    const isFirst = this.#state.next === undefined;
    const page = await this.#ask(undefined, isFirst ? FIRST_ROWS : PAGE_ROWS);
    const { rows } = this.#state;
    if (this.#following || rows.length === 0) {
      this.#freshLines.clear();
      this.#set({ ...joined(page, this.#state), fresh: 0 });
      return;
    }
    const newest = rows[0]?.seq ?? 0;
    for (const { line_id } of page.rows) if (line_id > newest) this.#freshLines.add(line_id);
    this.#set({ fresh: this.#freshLines.size });
  }

  async #readOn(): Promise<void> {
    const page = await this.#ask(this.#state.next ?? undefined);
    const { rows } = this.#state;
    const known = new Set(rows.map(({ line_id }) => line_id));
    const older = page.rows.filter(({ line_id }) => !known.has(line_id));
    this.#set({ rows: [...rows, ...older], next: page.next_before_seq });
    const isShort = page.rows.length < PAGE_ROWS && page.next_before_seq !== null;
    if (isShort) await this.#noteReached(page.next_before_seq);
  }

  /** How far back a request that found little searched: the time of the line at its cursor. */
  async #noteReached(before_seq: number): Promise<void> {
    const { rows } = await this.#ports.page({ limit: 1, before_seq });
    const reached = rows[0]?.timestamp ?? this.#state.reached;
    this.#set(this.#stopped ? { reached } : { reached, phase: "searching" });
  }

  #ask(before_seq: number | undefined, limit = PAGE_ROWS): Promise<ActivityPage> {
    if (this.#state.phase !== "searching") this.#set({ phase: "reading" });
    const args = { ...this.#query, limit };
    return this.#ports.page(before_seq === undefined ? args : { ...args, before_seq });
  }

  #set(part: Partial<LogState>): void {
    const names = Object.keys(part) as (keyof LogState)[];
    const isChanged = names.some((name) => part[name] !== this.#state[name]);
    if (isChanged && !this.#ports.signal.aborted) this.store.setState(part);
  }
}

/** The newest page and the known lines after it, or, with a gap, the page alone. */
function joined(
  { rows, next_before_seq: end }: ActivityPage,
  { rows: known, next }: LogState,
): Pick<LogState, "rows" | "next"> {
  const newest = known[0];
  if (end === null || newest === undefined || end > newest.seq + 1) return { rows, next: end };
  const lines = new Set(rows.map(({ line_id }) => line_id));
  const older = known.filter(({ seq, line_id }) => seq < end && !lines.has(line_id));
  const all = [...rows, ...older];
  const kept = all.slice(0, 2 * PAGE_ROWS);
  return { rows: kept, next: kept.length < all.length ? kept.at(-1)?.seq : next };
}
