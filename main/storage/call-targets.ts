import type { Database, Statement } from "better-sqlite3";
import type { OutcomeRecord } from "../../app/audit/audit-record.ts";
import type { ActivityRow } from "../../app/bridge/views.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import type { CallTarget } from "../../app/contract/target/target.ts";
import type { ContentSeal } from "./conversations/stored-item.ts";

/** A call whose target is kept. */
export type TargetedRecord = Pick<
  OutcomeRecord,
  "agent_id" | "call_id" | "tool_name" | "arguments_digest"
>;

export interface TargetKeeping {
  readonly seal: ContentSeal;
  /** Null: nothing is kept of this call. */
  readonly targetOf: (call: TargetedRecord, args: JsonObject) => CallTarget | null;
}

/** A line of the log. */
export type TargetedLine = Pick<
  ActivityRow,
  "line_id" | "agent_id" | "call_id" | "arguments_digest"
>;

interface ShownRow {
  readonly record: string;
  readonly target: Uint8Array | null;
}

/** What calls were about (contract §6), and the requests that are shown now. Call what changes it within a write. */
export class CallTargetTable {
  readonly #add: Statement<[number, Uint8Array]>;
  readonly #find: Statement<[number], Uint8Array>;
  readonly #remove: Statement<[number]>;
  readonly #clear: Statement<[]>;
  readonly #show: Statement<[string, string, string, Uint8Array | null]>;
  readonly #answer: Statement<[string, string]>;
  readonly #shown: Statement<[], ShownRow>;
  readonly #hide: Statement<[]>;
  #keeping: TargetKeeping | undefined;

  constructor(db: Database) {
    this.#add = db.prepare("INSERT OR REPLACE INTO call_targets VALUES (?, ?)");
    this.#find = db
      .prepare<[number], Uint8Array>("SELECT sealed FROM call_targets WHERE line_id = ?")
      .pluck();
    this.#remove = db.prepare("DELETE FROM call_targets WHERE line_id <= ?");
    this.#clear = db.prepare("DELETE FROM call_targets");
    this.#show = db.prepare("INSERT OR REPLACE INTO shown_requests VALUES (?, ?, ?, ?)");
    this.#answer = db.prepare("DELETE FROM shown_requests WHERE agent_id = ? AND call_id = ?");
    this.#shown = db.prepare(
      "SELECT record, target FROM shown_requests ORDER BY agent_id, call_id",
    );
    this.#hide = db.prepare("DELETE FROM shown_requests");
  }

  keep(keeping: TargetKeeping): void {
    this.#keeping = keeping;
  }

  /** Null: nothing is kept. */
  sealed(call: TargetedRecord, args: JsonObject): Uint8Array | null {
    const target = this.#keeping?.targetOf(call, args) ?? null;
    const short = target === null ? null : withoutContents(target);
    if (short === null || JSON.stringify(short).length > LIMITS.keptTargetChars) return null;
    return this.#keeping?.seal.seal(short, namesOf(call)) ?? null;
  }

  add(lineId: number, sealed: Uint8Array | null): void {
    if (sealed !== null) this.#add.run(lineId, sealed);
  }

  /** What a call was about, if that is kept. */
  targetOf(row: TargetedLine): CallTarget | undefined {
    const sealed = this.#keeping === undefined ? undefined : this.#find.get(row.line_id);
    const target = sealed && this.#keeping?.seal.open(sealed, namesOf(row));
    // Only what `sealed` has made opens.
    return target as CallTarget | undefined;
  }

  /** The line with its target. */
  withTarget(row: ActivityRow): ActivityRow {
    const target = this.targetOf(row);
    return target === undefined ? row : { ...row, target };
  }

  removeThrough(lineId: number): void {
    this.#remove.run(lineId);
  }

  clear(): void {
    this.#clear.run();
  }

  /** The person is asked. */
  show(record: OutcomeRecord, args: JsonObject): void {
    const { agent_id, call_id } = record;
    this.#show.run(agent_id, call_id, JSON.stringify(record), this.sealed(record, args));
  }

  /** The call goes on, or has ended. */
  answer({ agent_id, call_id }: Pick<OutcomeRecord, "agent_id" | "call_id">): void {
    this.#answer.run(agent_id, call_id);
  }

  /** What was shown when the program was killed. */
  takeShown(): readonly { readonly record: OutcomeRecord; readonly target: Uint8Array | null }[] {
    const rows = this.#shown.all();
    this.#hide.run();
    return rows.map(({ record, target }) => ({ record: JSON.parse(record), target }));
  }
}

const namesOf = ({ agent_id, call_id, arguments_digest }: Omit<TargetedRecord, "tool_name">) => [
  agent_id,
  call_id,
  arguments_digest,
];

/** Path, host or command alone: no texts, no queries. Null: there is none of these. */
function withoutContents(target: CallTarget): CallTarget | null {
  switch (target.kind) {
    case "copy_text":
    case "notify":
      return null;
    case "search_text":
    case "search_names":
    case "search_both":
      return { ...target, kind: "search", parts: { path: target.parts.path } };
    case "fetch":
    case "fetch_headers":
    case "send":
      return {
        ...target,
        parts: { address: { ...target.parts.address, rest: "", whole: false } },
      };
    default:
      return target;
  }
}
