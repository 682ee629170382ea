import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { toolFailure } from "../../../../app/execution/ports.ts";
import { STEP, underFd } from "../opening/open-by-walk.ts";
import type { HeldPlace } from "../opening/safe-open.ts";
import { codeOf, syncFolder } from "./put-file.ts";

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
    if (!taken) throw toolFailure("trash_unavailable");
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
  throw toolFailure("trash_unavailable");
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

/**
 * Linux. Finds and creates trash folders according to the freedesktop.org Trash specification 1.0.
 * Every folder that others could have created is opened without following links, must belong to the
 * person, and must be writable by nobody else. Errors are thrown unchanged.
 */
interface TrashFolder {
  /** Paths of `files` and `info`, through descriptors. */
  readonly files: string;
  readonly info: string;
}

const FOLDER = STEP | constants.O_DIRECTORY;

/** Calls `use` with the person's own trash if it is on the mount `mount`; created if missing. */
function withHomeTrash<T>(path: string, mount: string, use: (trash: TrashFolder) => T): T {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // A person's data folder may be anywhere they like, even behind a link.
  return withFolder(realpathSync.native(dirname(path)), (data) =>
    withOwnFolder(data, basename(path), (trash) => withParts(trash, mount, use)),
  );
}

/** Calls `use` with the trash of a volume whose top folder is `top`; created if missing. */
function withTopTrash<T>(top: number, use: (trash: TrashFolder) => T): T {
  const user = String(process.getuid?.());
  const mount = mountOf(top);
  return withShared(top, (shared) =>
    shared === null
      ? withOwnFolder(top, `.Trash-${user}`, (trash) => withParts(trash, mount, use))
      : withOwnFolder(shared, user, (trash) => withParts(trash, mount, use)),
  );
}

/**
 * `$topdir/.Trash`, which is accepted only as a real folder with its sticky bit set; otherwise
 * null.
 */
function withShared<T>(top: number, use: (shared: number | null) => T): T {
  let shared: number | null = null;
  try {
    shared = openSync(underFd(top, ".Trash"), FOLDER);
  } catch {
    // It does not exist, or is a link, which the specification says to ignore.
  }
  try {
    const sticky = shared !== null && (fstatSync(shared).mode & 0o1000) !== 0;
    return use(sticky ? shared : null);
  } finally {
    if (shared !== null) closeSync(shared);
  }
}

function withParts<T>(trash: number, mount: string, use: (trash: TrashFolder) => T): T {
  return withOwnFolder(trash, "files", (files) =>
    withOwnFolder(trash, "info", (info) => {
      if (mountOf(files) !== mount) throw toolFailure("trash_unavailable");
      return use({ files: underFd(files), info: underFd(info) });
    }),
  );
}

function withOwnFolder<T>(above: number, name: string, use: (handle: number) => T): T {
  const path = underFd(above, name);
  makeUnlessThere(path);
  return withFolder(path, (handle) => {
    const { uid, mode } = fstatSync(handle);
    const own = uid === process.getuid?.() && (mode & 0o022) === 0;
    if (!own) throw toolFailure("trash_unavailable");
    return use(handle);
  });
}

function withFolder<T>(path: string, use: (handle: number) => T): T {
  const handle = openSync(path, FOLDER);
  try {
    return use(handle);
  } finally {
    closeSync(handle);
  }
}

function makeUnlessThere(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

/**
 * Linux. The mount through which a descriptor's object was reached. Names can be moved only within
 * a mount, which is narrower than a device (a folder mounted a second time is on the same device).
 * Returns the device if the kernel does not tell the mount.
 */
function mountOf(fd: number): string {
  const info = readFileSync(`/proc/self/fdinfo/${fd}`, "utf8");
  return /^mnt_id:\s*(\d+)$/mu.exec(info)?.[1] ?? `dev:${fstatSync(fd).dev}`;
}

/**
 * Calls `use` with the top folder of the mount that contains `folder`, and the number of levels
 * between the two. Climbs by descriptors, so that no name is resolved twice.
 */
function withMountTop<T>(folder: string, use: (handle: number, stepsUp: number) => T): T {
  let handle = openSync(folder, constants.O_DIRECTORY | (STEP ^ constants.O_NOFOLLOW));
  try {
    for (let steps = 0; ; steps += 1) {
      const above = openSync(underFd(handle, ".."), constants.O_DIRECTORY | STEP);
      let reached = true;
      try {
        reached = isTop(handle, above);
        if (reached) return use(handle, steps);
      } finally {
        if (reached) closeSync(above);
      }
      closeSync(handle);
      handle = above;
    }
  } finally {
    closeSync(handle);
  }
}

/** `..` of the root folder is the root folder itself. */
function isTop(handle: number, above: number): boolean {
  if (mountOf(handle) !== mountOf(above)) return true;
  const here = fstatSync(handle, { bigint: true });
  const there = fstatSync(above, { bigint: true });
  return here.dev === there.dev && here.ino === there.ino;
}
