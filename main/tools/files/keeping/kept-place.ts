import type { BigIntStats } from "node:fs";
import type { ConsentPreview } from "../../../../app/contract/consent-preview.ts";
import { LIMITS } from "../../../../app/contract/limits.ts";
import { toolFailure } from "../../../../app/execution/ports.ts";
import { trashEntry } from "../../delete-file.ts";
import { moveEntry } from "../../move-file.ts";
import type { FileJob, JobControl } from "../file-tool.ts";
import { withDirectoryInside, withParentInside } from "../opening/safe-open.ts";
import { readFolder } from "../opening/tree.ts";
import type { Place } from "../paths/folder-preflight.ts";
import { contentPreview } from "../writing/content-preview.ts";
import { entriesOf, entryAt, entryPreview } from "../writing/entry-at.ts";
import type { HeldFolder } from "../writing/held-folder.ts";
import {
  ABSENT,
  isLinked,
  lookAtName,
  presentIn,
  readPresent,
  requireWritable,
} from "../writing/present-file.ts";
import { putFile, rewriteFile } from "../writing/put-file.ts";

/** What can be neither kept nor brought back: a link, a device, what cannot be opened. */
export const OTHER = "other";

/** What is at a place. */
export interface PlaceState {
  /** The same as long as the same is there: a file's content, or which folder it is. */
  readonly mark: string;
  readonly mode: number;
  /** Of a file, if it was asked for and is not too large. */
  readonly bytes: Uint8Array | null;
}

interface LookJob {
  readonly places: readonly (Place & { readonly contents: boolean })[];
}

/** What is at each of these places. Nothing is followed, and what cannot be told is `other`. */
export const lookAtKept: FileJob<LookJob, readonly PlaceState[]> = {
  name: "look_at_kept",
  lane: "read",
  perform({ places }) {
    let room = TOGETHER;
    return places.map((place) => {
      const state = lookAt(place);
      room -= state.bytes?.length ?? 0;
      return room < 0 ? { ...state, bytes: null } : state;
    });
  },
};

/** Bytes that are kept of one call: they are in memory at once. */
const TOGETHER = 8 * LIMITS.keptFileBytes;

/** Of how many bytes a file's content tells what it is; a larger one is told by its dates. */
const MOST = LIMITS.keptFileBytes;

function lookAt({ rootPath, path, contents }: LookJob["places"][number]): PlaceState {
  try {
    const state = withParentInside(rootPath, path, ({ folder, name }) => stateAt(folder, name));
    return contents ? state : { ...state, bytes: null };
  } catch (error) {
    const isMissing = toolFailure.is(error) && error.code === "not_found";
    return { mark: isMissing ? ABSENT : OTHER, mode: 0, bytes: null };
  }
}

/** @throws ToolFailure, or what the file system threw */
function stateAt(folder: HeldFolder, name: string): PlaceState {
  const stat = lookAtName(folder, name);
  if (stat === null) return { mark: ABSENT, mode: 0, bytes: null };
  const mode = Number(stat.mode) & 0o777;
  if (stat.isDirectory()) return { mark: folderMark(stat), mode, bytes: null };
  const present = folder.withFile(name, (fd) => presentIn(fd, MOST));
  const mark = present.bytes === null ? largeMark(present.stat) : present.mark;
  return { mark, mode, bytes: present.bytes };
}

const folderMark = ({ dev, ino, birthtimeNs }: BigIntStats): string =>
  `folder:${dev}:${ino}:${birthtimeNs}`;

/** Without the time of its last change of any kind, which a move is. */
const largeMark = ({ dev, ino, size, mtimeNs }: BigIntStats): string =>
  `large:${dev}:${ino}:${size}:${mtimeNs}`;

interface DrawJob extends Place {
  /** What a file there would hold; null: it would be removed. */
  readonly bytes: Uint8Array | null;
}

/** How what is there now differs from what would be. */
export const drawTakeBack: FileJob<DrawJob, ConsentPreview | null> = {
  name: "draw_take_back",
  lane: "read",
  perform: ({ rootPath, path, bytes }) =>
    withParentInside(rootPath, path, ({ folder, name }) => {
      const entry = entryAt(folder, name);
      if (entry?.type === "directory") {
        return entryPreview(entry, entriesOf(rootPath, path, entry), false);
      }
      return contentPreview(readPresent(folder, name), bytes ?? new Uint8Array(), "write").shown;
    }),
};

/** One step back. `now`: the mark of what it takes the place of, and nothing else. */
export type BackStep = Place & { readonly now: string } & (
    | { readonly kind: "restore"; readonly bytes: Uint8Array; readonly mode: number }
    | { readonly kind: "remove"; readonly homeTrash: string; readonly all: boolean }
    | { readonly kind: "move_back"; readonly to: Place }
  );

/**
 * Brings back what was at a place: as writing, moving and deleting do it, through no link, and only over what the
 * person was shown.
 */
export const takeBackStep: FileJob<BackStep, null> = {
  name: "take_back",
  lane: "change",
  async perform(step, { stop }) {
    if (step.kind === "restore") restore(step, stop);
    else if (step.kind === "remove") await remove(step, stop);
    else moveBack(step, stop);
    return null;
  },
};

function restore(
  { rootPath, path, now, bytes, mode }: BackStep & { readonly kind: "restore" },
  stop: JobControl["stop"],
): void {
  withParentInside(rootPath, path, ({ folder, name }) => {
    const present = readPresent(folder, name);
    requireNow(folder, name, now);
    if (present === null) {
      putFile(folder, { name, bytes, like: ownFile(mode), over: "nothing" }, stop);
      return;
    }
    requireWritable(folder, name);
    const { stat: like, mark } = present;
    if (isLinked(like)) rewriteFile(folder, { name, bytes, mark }, stop);
    else putFile(folder, { name, bytes, like, over: { mark } }, stop);
  });
}

async function remove(
  { rootPath, path, now, homeTrash, all }: BackStep & { readonly kind: "remove" },
  stop: JobControl["stop"],
): Promise<void> {
  const isFolder = withParentInside(rootPath, path, ({ folder, name }) => {
    requireNow(folder, name, now);
    return entryAt(folder, name)?.type === "directory";
  });
  if (isFolder && !all && !isEmpty(rootPath, path)) throw toolFailure("directory_not_empty");
  await trashEntry({ rootPath, path, homeTrash, seen: null }, stop);
}

function moveBack(
  { rootPath, path, now, to }: BackStep & { readonly kind: "move_back" },
  stop: JobControl["stop"],
): void {
  withParentInside(rootPath, path, ({ folder, name }) => requireNow(folder, name, now));
  moveEntry({ from: { rootPath, path }, to, overwrite: false, seen: null }, stop);
}

/** @throws ToolFailure `changed_since_shown` */
function requireNow(folder: HeldFolder, name: string, now: string): void {
  if (stateAt(folder, name).mark !== now) throw toolFailure("changed_since_shown");
}

const isEmpty = (rootPath: string, path: string): boolean =>
  withDirectoryInside(rootPath, path, (open) => {
    for (const _ of readFolder(open)) return false;
    return true;
  });

/** A deleted file comes back as the person's own. */
const ownFile = (mode: number) => ({
  mode: BigInt(mode),
  uid: BigInt(process.getuid?.() ?? 0),
  gid: BigInt(process.getgid?.() ?? 0),
});

export const KEEPING_JOBS = [lookAtKept, drawTakeBack, takeBackStep] as const;
