import { randomUUID } from "node:crypto";
import { mkdtempSync, realpathSync } from "node:fs";
import { lstat, mkdir, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMMAND_MAX_OUTPUT_BYTES } from "../../app/contract/tools/run-command.ts";
import { type Scheduler, ToolFailure } from "../../app/execution/ports.ts";
import { CommandRunner } from "../../main/tools/command/command-runner.ts";
import { realClock } from "../../sdk/options.ts";
import {
  type CommandOrder,
  type CommandOutput,
  type NewSandbox,
  SANDBOX_LIFE_MS,
  SANDBOXES_PER_KEY,
  SandboxError,
  type Sandboxes,
} from "./sandboxes.ts";

/** Maximum bytes of files in a sandbox. */
const SANDBOX_MAX_BYTES = 268_435_456;
/** How long processes that a command left behind may still write, in milliseconds. */
const GRACE_MS = 200;

interface LocalSandbox {
  readonly owner: string;
  readonly folder: string;
  cancelExpiry: () => void;
}

export interface LocalOptions {
  /** The host's own data, hidden from every command. */
  readonly dataDir: string;
  readonly scheduler?: Scheduler;
  readonly maxBytes?: number;
}

/**
 * Sandboxes on this computer, the same as for `run_command`: each with its own folder, and without
 * network. If the system has none, nothing runs.
 */
export async function localSandboxes(options: LocalOptions): Promise<Sandboxes> {
  const { scheduler = realClock, maxBytes = SANDBOX_MAX_BYTES, dataDir } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const runner = new CommandRunner({ ownFolders: [dataDir] });
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
    if (sandbox?.owner !== owner) throw new SandboxError("sandbox_unknown");
    return sandbox;
  };

  return {
    async create(owner): Promise<NewSandbox> {
      const owned = [...open.values()].filter((each) => each.owner === owner);
      if (owned.length >= SANDBOXES_PER_KEY) throw new SandboxError("too_many_sandboxes");
      const id = randomUUID();
      // In one go: another request would count before this one is added.
      const folder = mkdtempSync(join(realpathSync(tmpdir()), "agent-host-sandbox-"));
      open.set(id, { owner, folder, cancelExpiry: () => {} });
      renew(id);
      return { id, expiresAt: new Date(Date.now() + SANDBOX_LIFE_MS) };
    },

    async run(owner, id, order): Promise<CommandOutput> {
      const sandbox = find(owner, id);
      sandbox.cancelExpiry();
      const done = await Promise.allSettled([runIn(runner, sandbox.folder, order)]);
      renew(id);
      if ((await folderBytes(sandbox.folder, maxBytes)) > maxBytes) {
        await drop(id);
        throw new SandboxError("sandbox_full");
      }
      const [ended] = done;
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

async function runIn(
  runner: CommandRunner,
  directory: string,
  { command, signal, onOutput }: CommandOrder,
): Promise<CommandOutput> {
  const args = { argv: ["bash", "-c", command], directory };
  const roots = [
    { root_id: "sandbox", path: directory, access: "read_write" as const, added_at: 0 },
  ];
  try {
    const prospect = await runner.look(args, roots);
    // A model's commands never run with the host owner's permissions.
    if (prospect.sandbox === null) throw new SandboxError("sandbox_unavailable");
    const ended = await runner.run(args, roots, prospect, {
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
    if (!(error instanceof ToolFailure)) throw error;
    if (error.word === "too_large") throw new SandboxError("too_large");
    throw new SandboxError(signal.aborted ? "aborted" : "sandbox_unavailable");
  }
}

/** Bytes on disk below a folder; stops counting above `enough`. Links are not followed. */
async function folderBytes(folder: string, enough: number): Promise<number> {
  let bytes = 0;
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined && bytes <= enough; next = waiting.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      bytes += (await lstat(path).catch(() => null))?.size ?? 0;
    }
  }
  return bytes;
}
