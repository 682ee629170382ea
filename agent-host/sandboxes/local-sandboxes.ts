import { randomUUID } from "node:crypto";
import { mkdtempSync, realpathSync } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  COMMAND_MAX_OUTPUT_BYTES,
  type RunCommandArguments,
} from "../../app/contract/tools/run-command.ts";
import { type Scheduler, toolFailure } from "../../app/execution/ports.ts";
import type { CommandRunner } from "../../main/tools/command/command-runner.ts";
import {
  type CommandOrder,
  type CommandOutput,
  type NewSandbox,
  SANDBOX_LIFE_MS,
  SANDBOXES_PER_KEY,
  type Sandboxes,
  sandboxError,
} from "./sandboxes.ts";

/** Maximum bytes of files in a sandbox. */
const SANDBOX_MAX_BYTES = 268_435_456;
/** How often the files of a sandbox are measured while a command runs, in milliseconds. */
const MEASURE_MS = 250;
/** How long processes that a command left behind may still write, in milliseconds. */
const GRACE_MS = 200;

interface LocalSandbox {
  readonly owner: string;
  readonly folder: string;
  cancelExpiry: () => void;
}

interface LocalPorts {
  readonly runner: Pick<CommandRunner, "look" | "run">;
  readonly scheduler: Scheduler;
}

/**
 * Sandboxes on this computer, the same as for `run_command`: each with its own folder, and without
 * network. If the system has none, nothing runs.
 */
export function localSandboxes({ runner, scheduler }: LocalPorts): Sandboxes {
  const open = new Map<string, LocalSandbox>();

  const drop = async (id: string): Promise<void> => {
    const sandbox = open.get(id);
    if (sandbox === undefined) return;
    open.delete(id);
    sandbox.cancelExpiry();
    await rm(sandbox.folder, { recursive: true, force: true, maxRetries: 3 });
  };
  const renew = (id: string): void => {
    const sandbox = open.get(id);
    if (sandbox === undefined) return;
    // Another command may have renewed it since this one began.
    sandbox.cancelExpiry();
    sandbox.cancelExpiry = scheduler.after(SANDBOX_LIFE_MS, () => void drop(id).catch(() => {}));
  };
  const find = (owner: string, id: string): LocalSandbox => {
    const sandbox = open.get(id);
    if (sandbox?.owner !== owner) throw sandboxError("sandbox_unknown");
    return sandbox;
  };

  return {
    async create(owner): Promise<NewSandbox> {
      const owned = [...open.values()].filter((each) => each.owner === owner);
      if (owned.length >= SANDBOXES_PER_KEY) throw sandboxError("too_many_sandboxes");
      const id = randomUUID();
      // In one go: another request would count before this one is added.
      const folder = mkdtempSync(join(realpathSync(tmpdir()), "agent-host-sandbox-"));
      open.set(id, { owner, folder, cancelExpiry: () => {} });
      try {
        await prospectOf(runner, commandIn(folder, "true"));
      } catch (error) {
        await drop(id);
        throw error;
      }
      renew(id);
      return { id, expiresAt: new Date(Date.now() + SANDBOX_LIFE_MS) };
    },

    async run(owner, id, order): Promise<CommandOutput> {
      const { folder, cancelExpiry } = find(owner, id);
      cancelExpiry();
      const full = new AbortController();
      let cancelMeasuring = (): void => {};
      const measure = async (): Promise<void> => {
        if ((await folderBytes(folder)) > SANDBOX_MAX_BYTES) full.abort();
        else measureSoon();
      };
      const measureSoon = (): void => {
        cancelMeasuring = scheduler.after(MEASURE_MS, () => void measure());
      };
      measureSoon();
      const signal = AbortSignal.any([order.signal, full.signal]);
      const [ended] = await Promise.allSettled([runIn(runner, folder, { ...order, signal })]);
      cancelMeasuring();
      renew(id);
      if (full.signal.aborted || (await folderBytes(folder)) > SANDBOX_MAX_BYTES) {
        await drop(id);
        throw sandboxError("sandbox_full");
      }
      if (ended.status === "rejected") throw ended.reason;
      return ended.value;
    },

    async remove(owner, id) {
      find(owner, id);
      await drop(id);
    },

    async [Symbol.asyncDispose]() {
      await Promise.all([...open.keys()].map(drop));
    },
  };
}

interface SandboxCommand {
  readonly args: RunCommandArguments;
  readonly roots: Parameters<CommandRunner["look"]>[1];
}

function commandIn(directory: string, command: string): SandboxCommand {
  // A single file cannot outgrow the sandbox between two measurements.
  const limit = `ulimit -f ${SANDBOX_MAX_BYTES / 1024}`;
  return {
    args: { argv: ["bash", "-c", `${limit}\n${command}`], directory },
    roots: [{ root_id: "sandbox", path: directory, access: "read_write", added_at: 0 }],
  };
}

/** A model's commands never run with the host owner's permissions. @throws SandboxError */
async function prospectOf(runner: LocalPorts["runner"], { args, roots }: SandboxCommand) {
  const [found] = await Promise.allSettled([runner.look(args, roots)]);
  if (found.status === "fulfilled" && found.value.sandbox !== null) return found.value;
  throw sandboxError("sandbox_unavailable");
}

async function runIn(
  runner: LocalPorts["runner"],
  directory: string,
  { command, signal, onOutput }: CommandOrder,
): Promise<CommandOutput> {
  const order = commandIn(directory, command);
  try {
    const prospect = await prospectOf(runner, order);
    const ended = await runner.run(order.args, order.roots, prospect, {
      signal,
      graceMs: GRACE_MS,
      maxBytes: COMMAND_MAX_OUTPUT_BYTES,
      progress: (bytes) => onOutput?.(`${bytes} bytes`),
    });
    return {
      stdout: ended.stdout.toString("utf8"),
      stderr: ended.stderr.toString("utf8"),
      exit_code: ended.exit_code ?? 128,
    };
  } catch (error) {
    if (!toolFailure.is(error)) throw error;
    if (error.code === "too_large") throw sandboxError("too_large");
    throw sandboxError(signal.aborted ? "aborted" : "sandbox_unavailable");
  }
}

/** Bytes below a folder; not counted to the end where they are too many. Links are not followed. */
async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      bytes += (await lstat(path).catch(() => null))?.size ?? 0;
      if (bytes > SANDBOX_MAX_BYTES) return bytes;
    }
  }
  return bytes;
}
