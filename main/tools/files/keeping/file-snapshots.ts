import { toolFailure } from "../../../../app/execution/ports.ts";
import type { KeptCall, KeptChanges, KeptEffect } from "../../../storage/index.ts";
import type { ChangedPlace, FileService, Snapshots } from "../file-tool.ts";
import type { Place } from "../paths/folder-preflight.ts";
import { ABSENT } from "../writing/present-file.ts";
import { lookAtKept, OTHER, type PlaceState } from "./kept-place.ts";

/** A call that is about to change something. */
export type ChangingCall = Pick<
  KeptCall,
  "agent_id" | "call_id" | "conversation_id" | "tool_name" | "scope"
>;

interface SnapshotParts {
  readonly files: Pick<FileService, "run">;
  readonly changes: Pick<KeptChanges, "add" | "find" | "update" | "remove">;
  readonly isOn: () => boolean;
  /** Milliseconds, on the clock that counts the time that really passed. */
  readonly now: () => number;
}

/**
 * Keeps what files hold before a call changes them, so that it can be taken back (contract §6). What cannot be kept
 * keeps no call from running.
 */
export class FileSnapshots implements Snapshots {
  readonly #parts: SnapshotParts;

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
  }

  async around<T>(
    { agent_id, call_id, conversation_id, tool_name, scope }: ChangingCall,
    places: readonly ChangedPlace[],
    signal: AbortSignal,
    run: () => Promise<T>,
  ): Promise<T> {
    const call = { agent_id, call_id, conversation_id, tool_name, scope };
    const kept = await this.before(call, places, signal);
    let isSettled = true;
    try {
      return await run();
    } catch (error) {
      // A cancelled change may still take its last step.
      isSettled = !toolFailure.is(error) || error.code !== "cancelled";
      throw error;
    } finally {
      if (isSettled) await this.after(kept, new AbortController().signal);
    }
  }

  /**
   * The number of what was kept; null: nothing was. Never rejects.
   * @param places in the order in which they change
   */
  async before(
    call: ChangingCall,
    places: readonly ChangedPlace[],
    signal: AbortSignal,
  ): Promise<number | null> {
    const { isOn, changes, now } = this.#parts;
    if (!isOn()) return null;
    try {
      const looked = places.map((place) => ({ place, contents: place.moved_to === undefined }));
      const states = await this.#look(call.agent_id, looked, signal);
      const effects = places.map((place, at) => effectOf(place, states[at]));
      const contents = states.map(({ bytes }) => bytes);
      return await changes.add({ ...call, taken_back: false, effects }, now(), contents);
    } catch {
      return null;
    }
  }

  /**
   * The call is over. Never rejects.
   * @param callId of what its agent has only now reported
   */
  async after(keptId: number | null, signal: AbortSignal, callId?: string): Promise<void> {
    const { changes } = this.#parts;
    const change = keptId === null ? null : changes.find(keptId);
    if (change === null) return;
    const call_id = callId ?? change.call_id;
    try {
      const ends = change.effects.flatMap(({ moved_to, ...place }) => [place, moved_to ?? place]);
      const looked = ends.map((place) => ({ place, contents: false }));
      const states = await this.#look(change.agent_id, looked, signal);
      const marks = new Map(ends.map(({ path }, at) => [path, states[at]?.mark ?? OTHER]));
      const effects = effectsDone(change.effects, marks);
      if (effects.every(isUnchanged)) await changes.remove(change.kept_id);
      else await changes.update({ ...change, call_id, effects });
    } catch {
      // What the call left there is not known then, and the person is told of it.
      if (callId !== undefined) await changes.update({ ...change, call_id }).catch(() => undefined);
    }
  }

  /** What it was kept for is kept anew. Never rejects. */
  async drop(keptId: number | null): Promise<void> {
    if (keptId !== null) await this.#parts.changes.remove(keptId).catch(() => undefined);
  }

  #look(
    agent_id: string,
    looked: readonly { readonly place: Place; readonly contents: boolean }[],
    signal: AbortSignal,
  ): Promise<readonly PlaceState[]> {
    const places = looked.map(({ place: { rootPath, path }, contents }) => ({
      rootPath,
      path,
      contents,
    }));
    return this.#parts.files.run(lookAtKept, { places }, { agent_id, signal });
  }
}

const effectOf = (
  { rootPath, path, moved_to }: ChangedPlace,
  state: PlaceState | undefined,
): KeptEffect => ({
  rootPath,
  path,
  before: state?.mark ?? OTHER,
  mode: state?.mode ?? 0,
  kept: state !== undefined && state.bytes !== null,
  after: null,
  ...(moved_to && { moved_to: { rootPath: moved_to.rootPath, path: moved_to.path } }),
});

/** Of what was to happen, what has; each stays in its place. */
function effectsDone(
  effects: readonly KeptEffect[],
  marks: ReadonlyMap<string, string>,
): readonly KeptEffect[] {
  const hasMoved = ({ path, before, moved_to }: KeptEffect): boolean =>
    moved_to !== undefined && marks.get(path) !== before;
  const overwritten = new Set(effects.filter(hasMoved).map(({ moved_to }) => moved_to?.path));
  return effects.map(({ moved_to, ...effect }) => {
    const now = marks.get(effect.path) ?? null;
    if (moved_to !== undefined && now !== effect.before) {
      return { ...effect, moved_to, after: marks.get(moved_to.path) ?? null };
    }
    return { ...effect, after: overwritten.has(effect.path) ? ABSENT : now };
  });
}

/** The call left it as it was. */
export const isUnchanged = ({ before, after, moved_to }: KeptEffect): boolean =>
  moved_to === undefined && before === after;
