import type { Database, Statement } from "better-sqlite3";
import { storeError } from "../../../runtime/sqlite/store-error.ts";
import type { Follower } from "../group-commit.ts";
import type { KnownCalls } from "../known-calls.ts";
import { digestHead, type Facet, type FacetSource, facetOf, ODD, oddNamesOf } from "./facet.ts";

export const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
export const DAY_MS = DAY_HOURS * HOUR_MS;

/** The part of an outcome that a line needs; a row of the log has it too. */
export interface LineSource extends FacetSource {
  readonly call_id: string;
  readonly arguments_digest: string;
  readonly timestamp: number;
}

interface LeavingHour {
  readonly facet_id: number;
  /** Since the epoch. */
  readonly hour: number;
  readonly lines: number;
}

interface LeavingOddLine {
  readonly seq: number;
  readonly facet_id: number;
  readonly facet_tool: string;
  readonly facet_scope: string;
  readonly tool_name: string;
  readonly scope: string;
}

/** A line that is not written yet. */
interface Waiting {
  readonly outcome: LineSource;
  readonly seq: number;
  readonly lineId: number;
}

/** So many lines are written together: they share pages, and no call writes many more than its own. */
const WRITTEN_TOGETHER = 16;

/**
 * Lines, their facets and their counts: what the activity page reads of the log. Nothing but that page needs
 * them, and they follow from the log, so they are written some at a time, with the running calls, before they are
 * read. Those that a crash loses are written at the next opening (`backfillLines`).
 */
export class ActivityLines implements Follower {
  readonly #calls: Pick<KnownCalls, "areWritten" | "writeAll">;
  readonly #addLine: Statement<[number, number, number, string, number]>;
  readonly #addOdd: Statement<[number, number, number]>;
  readonly #countDay: Statement<[number, number]>;
  readonly #countHour: Statement<[number, number]>;
  readonly #addFacet: Statement<[Facet], number>;
  readonly #leavingHours: Statement<[number], LeavingHour>;
  readonly #leavingOdd: Statement<[number], LeavingOddLine>;
  readonly #dropOdd: Statement<[number, number, number]>;
  readonly #uncountDay: Statement<[number, number, number], number>;
  readonly #uncountHour: Statement<[number, number, number]>;
  readonly #dropDay: Statement<[number, number]>;
  readonly #dropHours: Statement<[number]>;
  readonly #dropFacet: Statement<[number]>;
  readonly #dropLine: Statement<[number]>;
  readonly #dropLines: Statement<[number]>;
  readonly #known = new Map<string, { readonly id: number; readonly facet: Facet }>();
  /** In the order of the log: first those that the current transaction has written. */
  #waiting: Waiting[] = [];
  #written = 0;
  /** Before the current write, and before the transaction. */
  #marked = { waiting: 0, written: 0 };
  #durable = 0;

  constructor(db: Database, calls: Pick<KnownCalls, "areWritten" | "writeAll">) {
    this.#calls = calls;
    this.#addLine = db.prepare("INSERT INTO activity_lines VALUES (?, ?, ?, ?, ?)");
    this.#addOdd = db.prepare("INSERT INTO odd_names VALUES (?, ?, ?)");
    const countIn = (table: string) =>
      db.prepare<[number, number]>(
        `INSERT INTO ${table} VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET lines = lines + 1`,
      );
    this.#countDay = countIn("facet_days");
    this.#countHour = countIn("facet_hours");
    // Assigned to itself, so that an existing facet is returned too.
    this.#addFacet = db
      .prepare<[Facet], number>(
        `INSERT INTO facets (agent_id, tool_name, scope, ending, decided_by)
         VALUES (@agent_id, @tool_name, @scope, @ending, @decided_by)
         ON CONFLICT DO UPDATE SET ending = ending RETURNING facet_id`,
      )
      .pluck();
    // By row number: SQLite would otherwise read a whole covering index.
    this.#leavingHours = db.prepare(
      `SELECT n.facet_id, o.timestamp / ${HOUR_MS} AS hour, count(*) AS lines
       FROM activity_lines n NOT INDEXED CROSS JOIN audit_log o ON o.seq = n.seq
       WHERE n.seq <= ? GROUP BY 1, 2`,
    );
    this.#leavingOdd = db.prepare(
      `SELECT n.seq, n.facet_id, f.tool_name AS facet_tool, f.scope AS facet_scope,
              o.tool_name, o.scope
       FROM activity_lines n NOT INDEXED CROSS JOIN facets f ON f.facet_id = n.facet_id
         CROSS JOIN audit_log o ON o.seq = n.seq
       WHERE n.seq <= ? AND (f.tool_name = '${ODD}' OR f.scope = '${ODD}')`,
    );
    this.#dropOdd = db.prepare(
      "DELETE FROM odd_names WHERE facet_id = ? AND name_head = ? AND seq = ?",
    );
    this.#uncountDay = db
      .prepare<[number, number, number], number>(
        "UPDATE facet_days SET lines = lines - ? WHERE facet_id = ? AND day = ? RETURNING lines",
      )
      .pluck();
    this.#uncountHour = db.prepare(
      "UPDATE facet_hours SET lines = lines - ? WHERE hour = ? AND facet_id = ?",
    );
    this.#dropDay = db.prepare("DELETE FROM facet_days WHERE facet_id = ? AND day = ?");
    this.#dropHours = db.prepare("DELETE FROM facet_hours WHERE hour <= ? AND lines <= 0");
    this.#dropFacet = db.prepare(
      `DELETE FROM facets WHERE facet_id = ?
         AND NOT EXISTS (SELECT 1 FROM facet_days d WHERE d.facet_id = facets.facet_id)`,
    );
    this.#dropLine = db.prepare("DELETE FROM activity_lines WHERE seq = ?");
    this.#dropLines = db.prepare("DELETE FROM activity_lines WHERE seq <= ?");
  }

  /**
   * Within the write of its outcome.
   * @param lineId number of the call's first record
   */
  add(outcome: LineSource, seq: number, lineId: number): void {
    this.#waiting.push({ outcome, seq, lineId });
    if (this.#waiting.length - this.#written >= WRITTEN_TOGETHER) this.writeAll();
  }

  get areWritten(): boolean {
    return this.#waiting.length === 0 && this.#calls.areWritten;
  }

  /** Within a write. */
  writeAll(): void {
    this.#calls.writeAll();
    for (const line of this.#waiting.slice(this.#written)) this.#write(line);
    this.#written = this.#waiting.length;
  }

  #write({ outcome, seq, lineId }: Waiting): void {
    const { id, facet } = this.#facetOf(outcome);
    this.#addLine.run(seq, id, lineId, outcome.call_id, digestHead(outcome.arguments_digest));
    for (const head of oddNamesOf(facet, outcome)) this.#addOdd.run(id, head, seq);
    this.#countDay.run(id, Math.floor(outcome.timestamp / DAY_MS));
    this.#countHour.run(Math.floor(outcome.timestamp / HOUR_MS), id);
  }

  /** Within the write of an agent's report: from now on, its call is found and counted as one that failed. */
  markFailed(outcome: LineSource, seq: number, lineId: number): void {
    this.writeAll();
    const { id, facet } = this.#facetOf(outcome);
    for (const head of oddNamesOf(facet, outcome)) this.#dropOdd.run(id, head, seq);
    this.#dropLine.run(seq);
    this.#uncount(id, Math.floor(outcome.timestamp / HOUR_MS), 1);
    this.#write({ outcome: { ...outcome, carried_out: "failed" }, seq, lineId });
  }

  /** Call it within a write, while the log still has the records. */
  removeThrough(seq: number): void {
    this.writeAll();
    for (const line of this.#leavingOdd.all(seq)) {
      const facet = { tool_name: line.facet_tool, scope: line.facet_scope };
      for (const head of oddNamesOf(facet, line)) this.#dropOdd.run(line.facet_id, head, line.seq);
    }
    let last = 0;
    for (const { facet_id, hour, lines } of this.#leavingHours.all(seq)) {
      this.#uncount(facet_id, hour, lines);
      last = Math.max(last, hour);
    }
    this.#dropHours.run(last);
    this.#dropLines.run(seq);
  }

  /** A facet without lines is deleted too, because it names an agent. */
  #uncount(facetId: number, hour: number, lines: number): void {
    this.#uncountHour.run(lines, hour, facetId);
    const day = Math.floor(hour / DAY_HOURS);
    const left = this.#uncountDay.get(lines, facetId, day) ?? 0;
    if (left > 0) return;
    this.#dropDay.run(facetId, day);
    if (this.#dropFacet.run(facetId).changes > 0) this.#known.clear();
  }

  #facetOf(outcome: LineSource): { readonly id: number; readonly facet: Facet } {
    const facet = facetOf(outcome);
    const { agent_id, tool_name, scope, ending, decided_by } = facet;
    const key = `${agent_id}\n${tool_name}\n${scope}\n${ending}\n${decided_by}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const id = this.#addFacet.get(facet);
    if (id === undefined) throw storeError("store_corrupt", { details: "facets" });
    const made = { id, facet };
    this.#known.set(key, made);
    return made;
  }

  mark(): void {
    this.#marked = { waiting: this.#waiting.length, written: this.#written };
  }

  restore(): void {
    this.#waiting.length = this.#marked.waiting;
    this.#written = this.#marked.written;
    this.#known.clear();
  }

  committed(): void {
    this.#waiting = this.#waiting.slice(this.#written);
    this.#written = 0;
    this.#durable = this.#waiting.length;
  }

  rolledBack(): void {
    this.#waiting.length = this.#durable;
    this.#written = 0;
    this.#known.clear();
  }
}
