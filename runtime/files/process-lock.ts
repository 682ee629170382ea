import { mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { errorKind } from "../../app/contract/coded-error.ts";

const FREE = "free";
const BEAT_MS = 15_000;
/** After four missed beats, a holder on another machine is considered dead. */
const SILENT_MS = 60_000;
const TRY_EVERY_MS = 50;
/** A little longer than an agent takes to shut down. */
const TRIES = 50;

/** Another process, or another part of this one, holds the lock. */
export const inUseError = errorKind<"in_use">("InUseError");

/**
 * One holder at a time, on every system, with nothing to clean up after a crash: a folder with one
 * entry whose name says who holds the lock. Renaming the entry transfers the lock, and succeeds for
 * only one of several processes. If the named process has ended, its lock is taken over.
 */
export class ProcessLock {
  readonly #folder: string;
  readonly #entry: string;
  readonly #lost: () => void;
  readonly #beating: NodeJS.Timeout;

  private constructor(folder: string, entry: string, lost: () => void) {
    this.#folder = folder;
    this.#entry = join(folder, entry);
    this.#lost = lost;
    this.#beating = setInterval(() => void this.beat(), BEAT_MS);
    this.#beating.unref();
  }

  /**
   * Waits briefly for a holder that is about to release it.
   * @param folder in an existing folder
   * @param lost called if another process took it, because this one was suspended for long
   * @param pause waits for a number of milliseconds
   * @throws InUseError
   */
  static async take(
    folder: string,
    lost: () => void,
    pause: (ms: number) => Promise<void>,
  ): Promise<ProcessLock> {
    const own = await holderName(process.pid);
    for (let left = TRIES; ; ) {
      const entry = await onlyEntry(folder);
      if (entry === FREE || !(await isHeld(folder, entry))) {
        if (await takeOver(folder, entry, own)) return new ProcessLock(folder, own, lost);
      } else {
        if (left === 0) throw inUseError("in_use");
        left -= 1;
        await pause(TRY_EVERY_MS);
      }
    }
  }

  /** Shows other machines that the holder is alive. */
  async beat(): Promise<void> {
    const now = new Date();
    try {
      await utimes(this.#entry, now, now);
    } catch {
      clearInterval(this.#beating);
      this.#lost();
    }
  }

  async release(): Promise<void> {
    clearInterval(this.#beating);
    // If another process has taken it over, that one keeps it.
    await rename(this.#entry, join(this.#folder, FREE)).catch(() => undefined);
  }
}

/** Identifies a process on a machine; a process id alone is soon reused. */
export async function holderName(pid: number): Promise<string> {
  const host = encodeURIComponent(hostname()).slice(0, 64);
  return `${pid}-${(await startOf(pid)) ?? ""}-${host}`;
}

/** When the process began, if the system says so in a file (Linux). */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    const [boot, text] = await Promise.all([
      readFile("/proc/sys/kernel/random/boot_id", "utf8"),
      readFile(`/proc/${pid}/stat`, "utf8"),
    ]);
    // The second field is the program's name in brackets, which can contain anything.
    const ticks = text.slice(text.lastIndexOf(")") + 2).split(" ")[19];
    return `${boot.slice(0, 8)}.${ticks}`;
  } catch {
    return undefined;
  }
}

async function onlyEntry(folder: string): Promise<string> {
  const [entry] = await readdir(folder).catch(() => []);
  if (entry !== undefined) return entry;
  // Created complete and then renamed: a folder without its entry would stay locked for ever.
  const made = await mkdtemp(`${folder}-`);
  await writeFile(join(made, FREE), "");
  try {
    await rename(made, folder);
  } catch (error) {
    await rm(made, { recursive: true });
    const [others] = await readdir(folder);
    if (others === undefined) throw error;
  }
  return FREE;
}

async function isHeld(folder: string, entry: string): Promise<boolean> {
  const [pid = "", start = "", ...host] = entry.split("-");
  if (host.join("-") !== encodeURIComponent(hostname()).slice(0, 64)) {
    const { mtimeMs } = await stat(join(folder, entry)).catch(() => ({ mtimeMs: 0 }));
    return Date.now() - mtimeMs < SILENT_MS;
  }
  if (!isRunning(Number(pid))) return false;
  const known = await startOf(Number(pid));
  return known === undefined || known === start;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It exists, and belongs to another account.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** @returns false if another process was faster */
async function takeOver(folder: string, entry: string, own: string): Promise<boolean> {
  const now = new Date();
  try {
    await utimes(join(folder, entry), now, now);
    await rename(join(folder, entry), join(folder, own));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}
