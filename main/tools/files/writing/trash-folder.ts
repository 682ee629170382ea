import { closeSync, constants, fstatSync, mkdirSync, openSync, realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { ToolFailure } from "../../../../app/execution/ports.ts";
import { STEP, underFd } from "../opening/open-by-walk.ts";
import { codeOf } from "./link-into.ts";
import { mountOf } from "./mount-of.ts";

/**
 * Linux. Finds and creates trash folders according to the freedesktop.org Trash specification 1.0.
 * Every folder that others could have created is opened without following links, must belong to the
 * person, and must be writable by nobody else. Errors are thrown unchanged.
 */
export interface TrashFolder {
  /** Paths of `files` and `info`, through descriptors. */
  readonly files: string;
  readonly info: string;
}

const FOLDER = STEP | constants.O_DIRECTORY;

/** Calls `use` with the person's own trash if it is on the mount `mount`; created if missing. */
export function withHomeTrash<T>(path: string, mount: string, use: (trash: TrashFolder) => T): T {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // A person's data folder may be anywhere they like, even behind a link.
  return withFolder(realpathSync.native(dirname(path)), (data) =>
    withOwnFolder(data, basename(path), (trash) => withParts(trash, mount, use)),
  );
}

/** Calls `use` with the trash of a volume whose top folder is `top`; created if missing. */
export function withTopTrash<T>(top: number, use: (trash: TrashFolder) => T): T {
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
      if (mountOf(files) !== mount) throw new ToolFailure("trash_unavailable");
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
    if (!own) throw new ToolFailure("trash_unavailable");
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
