import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { ToolFailure } from "../../../../app/execution/ports.ts";
import type { HeldPlace } from "../opening/safe-open.ts";
import { codeOf } from "./link-into.ts";
import { mountOf, withMountTop } from "./mount-of.ts";
import { syncFolder } from "./sync-folder.ts";
import { type TrashFolder, withHomeTrash, withTopTrash } from "./trash-folder.ts";

/** What goes to the trash: a place, and the file or folder found there. */
export interface Doomed {
  readonly place: HeldPlace;
  /** The person's own trash, whether or not it exists. */
  readonly homeTrash: string;
  /** Trash records contain local time. */
  readonly now: Date;
}

/**
 * Linux. Moves a file or folder into a trash on its own volume (freedesktop.org Trash specification
 * 1.0): the person's own, otherwise the volume's. The record is written first and thereby reserves
 * a name; then the entry is moved in one step from one held folder to another.
 * @throws ToolFailure `trash_unavailable` if there is none, or what the move threw
 */
export function trashBySpecification(doomed: Doomed): void {
  withMountTop(doomed.place.folder.path, (top, stepsUp) => {
    const { name, above } = doomed.place;
    const here = mountOf(top);
    const fromTop = above.slice(above.length - stepsUp);
    const taken =
      taking(doomed, ["", ...above, name], (use) => withHomeTrash(doomed.homeTrash, here, use)) ||
      taking(doomed, [...fromTop, name], (use) => withTopTrash(top, use));
    if (!taken) throw new ToolFailure("trash_unavailable");
  });
}

type Outcome =
  | { readonly kind: "taken" }
  | { readonly kind: "not_into_this_one" }
  | { readonly kind: "failed"; readonly thrown: unknown };

/** False: this trash cannot be used. Failing to remove the name from its folder throws. */
function taking(
  doomed: Doomed,
  original: readonly string[],
  withTrash: (use: (trash: TrashFolder) => Outcome) => Outcome,
): boolean {
  const outcome = outcomeOf(() => withTrash((trash) => takeInto(trash, doomed, original)));
  if (outcome.kind === "failed") throw outcome.thrown;
  return outcome.kind === "taken";
}

function outcomeOf(attempt: () => Outcome): Outcome {
  try {
    return attempt();
  } catch {
    return { kind: "not_into_this_one" };
  }
}

function takeInto(trash: TrashFolder, doomed: Doomed, original: readonly string[]): Outcome {
  const { folder, name } = doomed.place;
  const kept = reserve(trash, doomed, original);
  try {
    renameSync(folder.at(name), `${trash.files}/${kept}`);
    // The new place must be durable before the old one is removed: better twice than not at all.
    syncFolder({ path: trash.files });
    return { kind: "taken" };
  } catch (thrown) {
    unlinkSync(`${trash.info}/${kept}.trashinfo`);
    const elsewhere = NOT_INTO_THIS_ONE.has(codeOf(thrown));
    return elsewhere ? { kind: "not_into_this_one" } : { kind: "failed", thrown };
  }
}

/** It is another volume after all, it contains its own trash, or there is no room for the name. */
const NOT_INTO_THIS_ONE: ReadonlySet<unknown> = new Set(["EXDEV", "EINVAL", "ENOSPC", "EDQUOT"]);

/** Writes the trash record, and returns the name that it reserves. */
function reserve(trash: TrashFolder, doomed: Doomed, original: readonly string[]): string {
  for (const kept of namesFor(doomed.place.name)) {
    if (lstatSync(`${trash.files}/${kept}`, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      writeRecord(`${trash.info}/${kept}.trashinfo`, recordOf(original, doomed.now));
      return kept;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
  throw new ToolFailure("trash_unavailable");
}

/** The name itself if there is room for the suffix; then unused ones. */
function namesFor(name: string): readonly string[] {
  const random = (): string => randomBytes(16).toString("hex");
  return [...(Buffer.byteLength(name) <= 200 ? [name] : []), random(), random()];
}

function writeRecord(path: string, text: string): void {
  const fd = openSync(path, RECORD, 0o600);
  try {
    writeSync(fd, text);
    fsyncSync(fd);
  } catch (error) {
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(fd);
  }
}

const RECORD = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

function recordOf(original: readonly string[], now: Date): string {
  const path = original.map(encodeURIComponent).join("/");
  return `[Trash Info]\nPath=${path}\nDeletionDate=${localTime(now)}\n`;
}

/** `YYYY-MM-DDThh:mm:ss` in local time. */
const localTime = (now: Date): string =>
  new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
