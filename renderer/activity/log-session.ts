import { createStore } from "zustand/vanilla";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import type { ActivityPage, ActivityRow } from "../../app/bridge/views.ts";
import { errorCode } from "../bridge/page-bridge.ts";
import {
  type CursorBook,
  cursorOf,
  FIRST_ROWS,
  isWhole,
  PAGE_ROWS,
  pagesAt,
  rowCount,
  withHead,
  withLetGo,
  withNext,
  withRead,
  withUpdated,
} from "./cursor-book.ts";
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
  readonly book: CursorBook;
  /**
   * `searching`: the host searched part of the log and found little.
   * `stopped`: the person stopped such a search.
   */
  readonly phase: "idle" | "reading" | "searching" | "stopped" | "failed";
  /** When the oldest line searched so far was written; null if nothing was searched. */
  readonly reached: number | null;
  /** Number of lines newer than those shown, counted up to `MOST_FRESH`. */
  readonly fresh: number;
  readonly failure: BridgeErrorCode | null;
}

export const MOST_FRESH = 999;
/** Lines read ahead in each direction, and kept beyond that. */
const AHEAD_ROWS = PAGE_ROWS / 2;
const KEPT_PAGES = 2;
/** How long after a new line the newest page is read again, however many lines arrive. */
const SETTLE_MS = 250;

export const UNREAD_LOG: LogState = {
  book: [],
  phase: "reading",
  reached: null,
  fresh: 0,
  failure: null,
};

/**
 * The log under one filter: reads the pages being viewed, one at a time, and drops the others. At
 * the top it follows the log; further down it counts new lines and moves nothing.
 */
export class LogSession {
  readonly store = createStore<LogState>(() => UNREAD_LOG);
  readonly #ports: LogPorts;
  readonly #query: LogQuery;
  readonly #freshLines = new Set<number>();
  #first = 0;
  #last = 0;
  #pinned: number | null = null;
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

  /** Reads the newest page and those being viewed. */
  start(): void {
    void this.#work();
  }

  /** The visible lines, counted from the newest. */
  show(first: number, last: number): void {
    this.#first = first;
    this.#last = last;
    void this.#work();
  }

  /** The focused line: its page is kept, wherever the person scrolls. */
  pin(line_id: number | null): void {
    this.#pinned = line_id;
  }

  /** Whether the newest line is visible. */
  follow(following: boolean): void {
    if (following === this.#following) return;
    this.#following = following;
    if (following && this.#state.fresh > 0) this.#readHead();
  }

  /** False while the window is hidden: then nothing more is read. */
  setVisible(visible: boolean): void {
    this.#visible = visible;
    void this.#work();
  }

  /** A line reported by the host. */
  accept(row: ActivityRow): void {
    if (this.#following) {
      if (mayMatch(row, this.#query) || this.#knows(row)) this.#headSoon();
      return;
    }
    const book = withUpdated(this.#state.book, row);
    const isNew = row.line_id > this.#newestSeq() && mayMatch(row, this.#query);
    if (isNew && this.#query.about !== undefined) this.#headSoon();
    else if (isNew && this.#freshLines.size < MOST_FRESH) this.#freshLines.add(row.line_id);
    this.#set({ book, fresh: this.#freshLines.size });
  }

  /** After a lost connection: lines may have been added that were not reported. */
  catchUp(): void {
    this.#set({ failure: null });
    this.#readHead();
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

  #newestSeq(): number {
    return this.#state.book[0]?.rows?.[0]?.seq ?? 0;
  }

  #knows(row: ActivityRow): boolean {
    return this.#state.book.some(({ rows }) => rows?.some((each) => each.line_id === row.line_id));
  }

  #headSoon(): void {
    if (this.#headTimed) return;
    this.#headTimed = true;
    this.#ports.after(SETTLE_MS, () => {
      this.#headTimed = false;
      this.#readHead();
    });
  }

  #readHead(): void {
    this.#headDue = true;
    void this.#work();
  }

  /** One request at a time: the book needs the answers in order. */
  async #work(): Promise<void> {
    if (this.#busy || this.#state.failure !== null) return;
    this.#busy = true;
    try {
      while (!this.#ports.signal.aborted && this.#visible && (await this.#step()));
      const ended = this.#stopped && !isWhole(this.#state.book);
      this.#set({ phase: ended ? "stopped" : "idle" });
    } catch (error) {
      if (this.#ports.signal.aborted) return;
      this.#set({ phase: "failed", failure: errorCode(error) });
    } finally {
      this.#busy = false;
    }
  }

  /** False if there is nothing to read at the moment. */
  async #step(): Promise<boolean> {
    if (this.#headDue) return await this.#stepHead();
    const [from, to] = pagesAt(this.#state.book, this.#first - AHEAD_ROWS, this.#last + AHEAD_ROWS);
    this.#letGo(from, to);
    const { book } = this.#state;
    const wanted = book.findIndex(
      ({ rows }, index) => rows === null && index >= from && index <= to,
    );
    if (wanted !== -1) return await this.#stepBack(wanted);
    const more = !isWhole(book) && this.#last + AHEAD_ROWS >= rowCount(book) && !this.#stopped;
    return more && (await this.#stepOn());
  }

  #letGo(from: number, to: number): void {
    if (from === -1) return;
    const { book } = this.#state;
    const kept = pagesAround(book, this.#pinned);
    this.#set({ book: withLetGo(book, from - KEPT_PAGES, to + KEPT_PAGES, kept) });
  }

  async #stepHead(): Promise<boolean> {
    this.#headDue = false;
    const isFirst = this.#state.book.length === 0;
    const page = await this.#ask(null, isFirst ? FIRST_ROWS : PAGE_ROWS);
    if (this.#following || this.#state.book.length === 0) {
      this.#freshLines.clear();
      this.#set({ book: withHead(this.#state.book, page), fresh: 0 });
      return true;
    }
    const newest = this.#newestSeq();
    for (const { line_id } of page.rows) if (line_id > newest) this.#freshLines.add(line_id);
    this.#set({ fresh: this.#freshLines.size });
    return true;
  }

  /**
   * Reads a dropped page: its lines lie between two known cursors, and may take several requests.
   */
  async #stepBack(index: number): Promise<boolean> {
    const { book } = this.#state;
    const asked = cursorOf(book, index);
    const end = book[index]?.end ?? null;
    const rows: ActivityRow[] = [];
    for (let before = asked; ; ) {
      const page = await this.#ask(before);
      rows.push(...page.rows.filter(({ seq }) => end === null || seq >= end));
      before = page.next_before_seq;
      if (before === null || (end !== null && before <= end)) break;
    }
    this.#set({ book: withRead(this.#state.book, asked, rows) });
    return true;
  }

  async #stepOn(): Promise<boolean> {
    const asked = cursorOf(this.#state.book, this.#state.book.length);
    const page = await this.#ask(asked);
    this.#set({ book: withNext(this.#state.book, asked, page) });
    const short = page.rows.length < PAGE_ROWS && page.next_before_seq !== null;
    if (short) await this.#noteReached(page.next_before_seq);
    return true;
  }

  /** How far back a request that found little searched: the time of the line at its cursor. */
  async #noteReached(before_seq: number): Promise<void> {
    const { rows } = await this.#ports.page({ limit: 1, before_seq });
    const reached = rows[0]?.timestamp ?? this.#state.reached;
    this.#set(this.#stopped ? { reached } : { reached, phase: "searching" });
  }

  #ask(before_seq: number | null, limit = PAGE_ROWS): Promise<ActivityPage> {
    if (this.#state.phase !== "searching") this.#set({ phase: "reading" });
    return this.#ports.page({
      ...this.#query,
      limit,
      ...(before_seq === null ? {} : { before_seq }),
    });
  }

  #set(part: Partial<LogState>): void {
    const names = Object.keys(part) as (keyof LogState)[];
    const isChanged = names.some((name) => part[name] !== this.#state[name]);
    if (isChanged && !this.#ports.signal.aborted) this.store.setState(part);
  }
}

function pagesAround(book: CursorBook, line_id: number | null): ReadonlySet<number> {
  if (line_id === null) return new Set();
  const at = book.findIndex(({ rows }) => rows?.some((row) => row.line_id === line_id));
  return at === -1 ? new Set() : new Set([at - 1, at, at + 1]);
}
