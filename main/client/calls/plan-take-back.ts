import type { TakeBackPlace, TakeBackState } from "../../../app/bridge/take-back-calls.ts";
import type { KeptChange, KeptEffect } from "../../storage/index.ts";
import { isUnchanged } from "../../tools/files/keeping/file-snapshots.ts";
import { OTHER } from "../../tools/files/keeping/kept-place.ts";
import type { Place } from "../../tools/files/paths/folder-preflight.ts";
import { ABSENT } from "../../tools/files/writing/present-file.ts";

/** What undoes one effect of a call. */
export interface PlannedStep {
  readonly change: KeptChange;
  readonly effect: KeptEffect;
  /** The effect's place in its call. */
  readonly place: number;
  readonly act: TakeBackPlace["act"];
  readonly state: TakeBackState;
  /** The mark of what it is to find. */
  readonly now: string;
  /** Where that is before the first step. */
  readonly found: Place;
}

/** All places that a plan has to know the marks of. */
export const placesOf = (changes: readonly KeptChange[]) =>
  changes.flatMap(({ effects }) =>
    effects.flatMap(({ rootPath, path, moved_to }) => [
      { rootPath, path },
      ...(moved_to === undefined ? [] : [moved_to]),
    ]),
  );

/**
 * How calls are taken back, one effect after the other. Pure.
 * @param changes the newest first
 * @param marks of what is at each place now
 * @param despite also where somebody has changed it since
 */
export function planTakeBack(
  changes: readonly KeptChange[],
  marks: ReadonlyMap<string, string>,
  despite: boolean,
): readonly PlannedStep[] {
  const world: World = { now: new Map(marks), found: new Map() };
  return changes.flatMap((change) =>
    [...change.effects.entries()]
      .filter(([, effect]) => !isUnchanged(effect))
      .reverse()
      .map(([place, effect]) => {
        const step = stepBack(world, change, effect, place);
        if (isTaken(step, despite)) follow(world, step);
        return step;
      }),
  );
}

/** As it is after the steps so far. */
interface World {
  /** The mark of what is at a path. */
  readonly now: Map<string, string>;
  /** Where that was before the first step; absent: there too. */
  readonly found: Map<string, Place>;
}

const markAt = ({ now }: World, path: string): string => now.get(path) ?? OTHER;

function stepBack(
  world: World,
  change: KeptChange,
  effect: KeptEffect,
  place: number,
): PlannedStep {
  const { rootPath, path, before, moved_to } = effect;
  const end = moved_to ?? { rootPath, path };
  const now = markAt(world, end.path);
  const about = { change, effect, place, now, found: world.found.get(end.path) ?? end };
  if (moved_to !== undefined) {
    return { ...about, act: "move_back", state: moveState(effect, markAt(world, path), now) };
  }
  const act = before === ABSENT ? "remove" : "restore";
  return { ...about, act, state: stateOf(effect, now) };
}

function follow(world: World, { effect, now, found }: PlannedStep): void {
  const { path, before, moved_to } = effect;
  world.now.set(path, moved_to === undefined ? before : now);
  if (moved_to === undefined) return;
  world.now.set(moved_to.path, ABSENT);
  world.found.set(path, found);
}

/** Whether the step is to be done. */
export const isTaken = ({ state }: Pick<PlannedStep, "state">, despite: boolean): boolean =>
  state === "ready" || (state === "changed" && despite);

function stateOf({ before, after, kept }: KeptEffect, now: string): TakeBackState {
  if (now === before) return "back";
  if ((before !== ABSENT && !kept) || now === OTHER) return "lost";
  // A folder is where the file was.
  if (before !== ABSENT && now.startsWith("folder:")) return "lost";
  return now === after ? "ready" : "changed";
}

/** `now`: at its end. */
function moveState({ before, after }: KeptEffect, origin: string, now: string): TakeBackState {
  if (origin === before && now !== before) return "back";
  if (origin !== ABSENT || now === ABSENT || now === OTHER) return "lost";
  return now === after ? "ready" : "changed";
}
