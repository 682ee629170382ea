import type { Database, Statement } from "better-sqlite3";
import { LIMITS } from "../../app/contract/limits.ts";
import { openBytes, sealBytes } from "../../runtime/crypto/sealed-bytes.ts";
import { contentSeal } from "./conversations/stored-item.ts";
import type { GroupCommit } from "./group-commit.ts";

/** What a call does to one place. */
export interface KeptEffect {
  readonly rootPath: string;
  readonly path: string;
  /** What was there before, by its mark. */
  readonly before: string;
  /** Permission bits of a file that was there. */
  readonly mode: number;
  /** Whether that file's content is kept. */
  readonly kept: boolean;
  /** What the call left there; null: not known. */
  readonly after: string | null;
  /** What was here went there, whole. */
  readonly moved_to?: { readonly rootPath: string; readonly path: string };
}

export interface KeptCall {
  readonly agent_id: string;
  /** Null: its agent has not reported it yet. */
  readonly call_id: string | null;
  readonly conversation_id: string;
  readonly tool_name: string;
  readonly scope: string;
  readonly taken_back: boolean;
  /** In the order they happen. */
  readonly effects: readonly KeptEffect[];
}

/** A kept call with its number, which grows with time. */
export interface KeptChange extends KeptCall {
  readonly kept_id: number;
}

interface Row extends Pick<KeptCall, "agent_id" | "call_id" | "conversation_id"> {
  readonly kept_id: number;
  readonly sealed: Uint8Array;
}

/** What of a call is in the sealed part. */
type Sealed = Pick<KeptCall, "tool_name" | "scope" | "taken_back" | "effects">;

const COLUMNS = "kept_id, agent_id, call_id, conversation_id, sealed";

/** Calls that can be taken back (contract §6). */
export class KeptChanges {
  readonly #group: GroupCommit;
  readonly #key: Uint8Array;
  readonly #random: (bytes: number) => Uint8Array;
  readonly #seal: ReturnType<typeof contentSeal>;
  readonly #nextId: Statement<[], number>;
  readonly #add: Statement<[number, string, string | null, string, number, Uint8Array]>;
  readonly #addContent: Statement<[number, number, number, Uint8Array]>;
  readonly #update: Statement<[string | null, Uint8Array, number]>;
  readonly #remove: Statement<[number]>;
  readonly #removeContents: Statement<[number]>;
  readonly #bytes: Statement<[], number>;
  readonly #oldest: Statement<[], number>;
  readonly #find: Statement<[number], Row>;
  readonly #of: Statement<[string, string], Row>;
  readonly #since: Statement<[string, string, number], Row>;
  readonly #content: Statement<[number, number], Uint8Array>;
  readonly #clear: readonly Statement<[]>[];

  constructor(
    group: GroupCommit,
    db: Database,
    key: Uint8Array,
    random: (bytes: number) => Uint8Array,
  ) {
    this.#group = group;
    this.#key = key;
    this.#random = random;
    this.#seal = contentSeal(key, random);
    this.#nextId = db
      .prepare<[], number>(
        "SELECT ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'kept_changes'), 0) + 1",
      )
      .pluck();
    this.#add = db.prepare("INSERT INTO kept_changes VALUES (?, ?, ?, ?, ?, ?)");
    this.#addContent = db.prepare("INSERT INTO kept_contents VALUES (?, ?, ?, ?)");
    this.#update = db.prepare("UPDATE kept_changes SET call_id = ?, sealed = ? WHERE kept_id = ?");
    this.#remove = db.prepare("DELETE FROM kept_changes WHERE kept_id = ?");
    this.#removeContents = db.prepare("DELETE FROM kept_contents WHERE kept_id = ?");
    this.#bytes = db.prepare<[], number>("SELECT ifnull(sum(bytes), 0) FROM kept_contents").pluck();
    this.#oldest = db.prepare<[], number>("SELECT min(kept_id) FROM kept_contents").pluck();
    this.#find = db.prepare(`SELECT ${COLUMNS} FROM kept_changes WHERE kept_id = ?`);
    this.#of = db.prepare(`SELECT ${COLUMNS} FROM kept_changes WHERE agent_id = ? AND call_id = ?`);
    this.#since = db.prepare(
      `SELECT ${COLUMNS} FROM kept_changes WHERE agent_id = ? AND conversation_id = ?
         AND kept_id >= ? AND call_id IS NOT NULL ORDER BY kept_id DESC`,
    );
    this.#content = db
      .prepare<[number, number], Uint8Array>(
        "SELECT sealed FROM kept_contents WHERE kept_id = ? AND place = ?",
      )
      .pluck();
    this.#clear = ["kept_changes", "kept_contents"].map((table) =>
      db.prepare(`DELETE FROM ${table}`),
    );
  }

  /**
   * Durable when it resolves. The oldest go where they would be too many bytes together.
   * @param at milliseconds, on the clock that counts the time that really passed
   * @param contents one for each effect; null: none is kept of it
   */
  add(call: KeptCall, at: number, contents: readonly (Uint8Array | null)[]): Promise<number> {
    const { agent_id, call_id, conversation_id } = call;
    return this.#group.enqueue(() => {
      const id = this.#nextId.get() ?? 1;
      this.#add.run(id, agent_id, call_id, conversation_id, at, this.#sealed(call, id));
      for (const [place, bytes] of contents.entries()) {
        if (bytes === null) continue;
        const sealed = sealBytes(this.#key, bytes, contextOf(id, place), this.#random);
        this.#addContent.run(id, place, bytes.length, sealed);
      }
      while ((this.#bytes.get() ?? 0) > LIMITS.keptFilesBytes) {
        this.#removeOne(this.#oldest.get() ?? id);
      }
      return id;
    });
  }

  /** Null: it is not kept (any longer). */
  find(keptId: number): KeptChange | null {
    return this.#opened(this.#find.get(keptId));
  }

  of(agentId: string, callId: string): KeptChange | null {
    return this.#opened(this.#of.get(agentId, callId));
  }

  /** This one and the later ones of its agent's conversation, the newest first. */
  since({ agent_id, conversation_id, kept_id }: KeptChange): readonly KeptChange[] {
    return this.#since
      .all(agent_id, conversation_id, kept_id)
      .flatMap((row) => this.#opened(row) ?? []);
  }

  /** Null: none is kept. */
  content(keptId: number, place: number): Uint8Array | null {
    const sealed = this.#content.get(keptId, place);
    return sealed === undefined ? null : openBytes(this.#key, sealed, contextOf(keptId, place));
  }

  update(change: KeptChange): Promise<void> {
    const { kept_id, call_id } = change;
    return this.#group.enqueue(
      () => void this.#update.run(call_id, this.#sealed(change, kept_id), kept_id),
    );
  }

  remove(keptId: number): Promise<void> {
    return this.#group.enqueue(() => this.#removeOne(keptId));
  }

  clear(): Promise<void> {
    return this.#group.enqueue(() => {
      for (const table of this.#clear) table.run();
    });
  }

  #removeOne(id: number): void {
    this.#remove.run(id);
    this.#removeContents.run(id);
  }

  #sealed({ tool_name, scope, taken_back, effects, ...about }: KeptCall, id: number): Uint8Array {
    const sealed: Sealed = { tool_name, scope, taken_back, effects };
    return this.#seal.seal(sealed, namesOf(about, id));
  }

  #opened(row: Row | undefined): KeptChange | null {
    if (row === undefined) return null;
    const { sealed, ...about } = row;
    const opened = this.#seal.open(sealed, namesOf(about, about.kept_id));
    // Only what `#sealed` has made opens.
    return opened === undefined ? null : { ...about, ...(opened as Sealed) };
  }
}

const namesOf = (
  { agent_id, conversation_id }: Pick<KeptCall, "agent_id" | "conversation_id">,
  id: number,
) => [agent_id, conversation_id, String(id)];

const contextOf = (id: number, place: number): Uint8Array =>
  Buffer.from(JSON.stringify([id, place]));

/** Removed in one write: overwriting much takes long. */
const REMOVED_AT_ONCE = 16;

/** Removes what was kept for as long as is promised. */
export async function purgeKept(group: GroupCommit, db: Database, safeNow: number): Promise<void> {
  const expired = db
    .prepare<[number, number], number>("SELECT kept_id FROM kept_changes WHERE at < ? LIMIT ?")
    .pluck();
  const tables = ["kept_changes", "kept_contents"].map((table) =>
    db.prepare<[number]>(`DELETE FROM ${table} WHERE kept_id = ?`),
  );
  for (let removed = REMOVED_AT_ONCE; removed === REMOVED_AT_ONCE; ) {
    removed = await group.enqueue(() => {
      const ids = expired.all(safeNow - LIMITS.keptFilesMs, REMOVED_AT_ONCE);
      for (const id of ids) for (const table of tables) table.run(id);
      return ids.length;
    });
  }
}
