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

/** What goes to the trash: a place, and the one file or folder that was found there. */
export interface Doomed {
  readonly place: HeldPlace;
  /** Where the person's own trash is, there or not. */
  readonly homeTrash: string;
  /** Local time goes into the trash's records. */
  readonly now: Date;
}

/**
 * Linux. Moves a name into a trash of its own volume (freedesktop.org Trash specification 1.0):
 * the person's own, else the volume's. The record is written first, under a name that it thereby
 * reserves; the name then moves in one step from the folder that is held into one that is.
 * @throws ToolFailure `trash_unavailable` where there is none, or what moving the name threw
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

/** False: this trash cannot be had. Failing to take the name out of its folder is thrown. */
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
    // Where it came must be durable before where it went from: better twice than not at all.
    syncFolder({ path: trash.files });
    return { kind: "taken" };
  } catch (thrown) {
    unlinkSync(`${trash.info}/${kept}.trashinfo`);
    const elsewhere = NOT_INTO_THIS_ONE.has(codeOf(thrown));
    return elsewhere ? { kind: "not_into_this_one" } : { kind: "failed", thrown };
  }
}

/** Another volume after all, a folder that holds its own trash, no room for the name. */
const NOT_INTO_THIS_ONE: ReadonlySet<unknown> = new Set(["EXDEV", "EINVAL", "ENOSPC", "EDQUOT"]);

/** Writes the record of what comes, and gives the name that is thereby its own. */
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

/** The name itself where it leaves room for what is added to it; then ones nobody has. */
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

/** `YYYY-MM-DDThh:mm:ss` on the person's clock. */
const localTime = (now: Date): string =>
  new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
