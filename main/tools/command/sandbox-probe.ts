import { access, mkdir } from "node:fs/promises";
import { release } from "node:os";
import { join } from "node:path";
import { LANDLOCK_PLACES } from "./bubblewrap.ts";
import { findCommand } from "./find-command.ts";
import type { Machine } from "./machine.ts";
import { type Conduct, type FencedCommand, runFenced } from "./run-planned.ts";
import type { Sandbox } from "./sandbox.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

/** A sandbox that does not answer within this time (ms) counts as missing. */
const PATIENCE_MS = 10_000;

/**
 * Finds out which sandbox really works here. A working one is remembered until it fails. That none
 * works is not remembered: the machine may have been busy, or one may be installed later.
 */
export class SandboxProbe {
  readonly #machine: Machine;
  readonly #owner: string;
  #found: Promise<Sandbox | null> | null = null;

  /** @param owner as in `FencedCommand` */
  constructor(machine: Machine, owner: string) {
    this.#machine = machine;
    this.#owner = owner;
  }

  best(): Promise<Sandbox | null> {
    this.#found ??= firstThatWorks(this.#machine, this.#owner).then((found) => {
      if (found === null) this.forget();
      return found;
    });
    return this.#found;
  }

  /** Called after a failure that the sandbox may have caused. */
  forget(): void {
    this.#found = null;
  }
}

async function firstThatWorks(machine: Machine, owner: string): Promise<Sandbox | null> {
  for (const sandbox of await sandboxesOf(machine)) {
    if (await works(machine, sandbox, owner)) return sandbox;
  }
  return null;
}

/** The sandboxes whose programs are installed, best first. */
async function sandboxesOf(machine: Machine): Promise<readonly Sandbox[]> {
  const find = (name: string) => pathOf(machine, name);
  if (machine.platform === "darwin") {
    const program = await find("/usr/bin/sandbox-exec");
    return program === null ? [] : [{ kind: "sandbox-exec", program }];
  }
  if (machine.platform !== "posix") return [];
  const [bwrap, setpriv, found] = await Promise.all(["bwrap", "setpriv", "prlimit"].map(find));
  const prlimit = countsPerNamespace(release()) ? (found ?? null) : null;
  const places = await existing(LANDLOCK_PLACES);
  return [
    ...(bwrap
      ? [true, false].map((modern) => ({
          kind: "bubblewrap" as const,
          program: bwrap,
          modern,
          prlimit,
        }))
      : []),
    ...(setpriv ? [{ kind: "landlock" as const, program: setpriv, places }] : []),
  ];
}

/**
 * Whether RLIMIT_NPROC counts per user namespace (since Linux 5.14), rather than all of the
 * person's processes. Pure.
 */
export function countsPerNamespace(kernel: string): boolean {
  const [, major = 0, minor = 0] = (/^(\d+)\.(\d+)/u.exec(kernel) ?? []).map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}

async function pathOf(machine: Machine, name: string): Promise<string | null> {
  const places = { ...machine, writable: [], ownFolders: [] };
  const found = await findCommand(name, places).catch(() => null);
  return found?.path ?? null;
}

async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const there = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return paths.filter((_, index) => there[index]);
}

/**
 * Tries it: a test program must be able to write where it may, and must fail to write elsewhere.
 */
async function works(machine: Machine, sandbox: Sandbox, owner: string): Promise<boolean> {
  await using scratch = await makeTemporaryFolder(owner);
  const at = (name: string) => join(scratch.path, name);
  try {
    await Promise.all(["inside", "outside", "data"].map((name) => mkdir(at(name))));
    const places = { ...machine, writable: [], ownFolders: [at("data")] };
    const directory = at("inside");
    const fenced: Omit<FencedCommand, "args"> = {
      command: await findCommand("touch", places),
      directory,
      paths: [{ path: directory, writable: true, needed: true, guarded: false }],
      ownFolders: [at("data")],
      owner,
      network: false,
    };
    const conduct: Conduct = {
      stdin: "",
      signal: AbortSignal.timeout(PATIENCE_MS),
      maxBytes: 65_536,
      graceMs: 100,
      progress: () => undefined,
    };
    const may = at("inside/may");
    const mayNot = at("outside/may-not");
    await runFenced(machine, sandbox, { ...fenced, args: [may] }, conduct);
    await runFenced(machine, sandbox, { ...fenced, args: [mayNot] }, conduct);
    return (await existing([may, mayNot])).join() === may;
  } catch {
    return false;
  }
}
