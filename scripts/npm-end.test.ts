import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ScratchFolder } from "../main/testing/scratch-folder.ts";
import { watchOnWindows, whenNpmEnds } from "./npm-end.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const TIMEOUT = { timeout: 180_000 };
const SOON = { timeout: 20_000, interval: 100 };

const scratch = ScratchFolder.forEachTest();
/** The process group of everything that was started, whatever happened to the parents. */
let group: number | undefined;
afterEach(() => {
  if (group !== undefined && lives(-group)) process.kill(-group, "SIGKILL");
  group = undefined;
});

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function start(command: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const [program = "", ...args] = command;
  const place = ["--port", "0", "--hub-port", "0", "--data-dir", join(scratch.base, "data")];
  const child = spawn(program, [...args, "--host", "browser", "--no-open", ...place], {
    cwd: root,
    stdio: ["ignore", "pipe", "ignore"],
    // Its own process group, as a terminal gives to a command.
    detached: true,
    env: { ...process.env, npm_lifecycle_event: undefined, XDG_CONFIG_HOME: scratch.base, ...env },
  });
  group = child.pid;
  return child;
}

async function ready({ stdout }: ChildProcess): Promise<void> {
  if (stdout === null) throw new Error("it has no output");
  for await (const line of createInterface({ input: stdout })) {
    if (line.startsWith('{"event":"ready"')) {
      stdout.resume();
      return;
    }
  }
  throw new Error("it ended before it was ready");
}

const hubFile = () => join(scratch.base, "data", "hub.url");
const NPM = ["npm", "start", "--"];
const START = [process.execPath, "scripts/start.ts"];

/** A shell that keeps running: not every shell replaces itself by its last command. */
function stayingShell(): string {
  const path = join(scratch.base, "shell");
  writeFileSync(path, '#!/bin/sh\nexec sh -c "$2; exit \\$?"\n');
  chmodSync(path, 0o755);
  return path;
}

describe.skipIf(process.platform === "win32")("the program ends in order", () => {
  it.each(["SIGKILL", "SIGTERM"] as const)("when npm alone gets %s", TIMEOUT, async (signal) => {
    const npm = start(NPM);
    await ready(npm);
    const { pid = 0 } = npm;
    npm.kill(signal);
    await expect.poll(() => lives(-pid), SOON).toBe(false);
    // It ended in order: the file for other programs was removed.
    expect(existsSync(hubFile())).toBe(false);
  });

  it("when the start command is killed", TIMEOUT, async () => {
    const command = start(START);
    await ready(command);
    const { pid = 0 } = command;
    command.kill("SIGKILL");
    await expect.poll(() => lives(-pid), SOON).toBe(false);
    expect(existsSync(hubFile())).toBe(false);
  });

  it.skipIf(process.platform !== "linux")(
    "when npm is killed and a shell stands between",
    TIMEOUT,
    async () => {
      const npm = start(NPM, { npm_config_script_shell: stayingShell() });
      await ready(npm);
      npm.kill("SIGKILL");
      await expect.poll(() => existsSync(hubFile()), SOON).toBe(false);
    },
  );
});

describe.skipIf(process.platform === "win32")("what started it ends", () => {
  let parent = process.ppid;
  const started = { ppid: parent, script: process.env.npm_lifecycle_event };
  beforeEach(() => {
    parent = started.ppid;
    vi.useFakeTimers();
    vi.spyOn(process, "ppid", "get").mockImplementation(() => parent);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  it.each([
    ["start", 1],
    ["hub", 0],
    [undefined, 0],
  ] as const)("as npm's script %j: %j time", (script, times) => {
    vi.stubEnv("npm_lifecycle_event", script);
    const ended = vi.fn();
    whenNpmEnds("start", ended);
    vi.advanceTimersByTime(10_000);
    expect(ended).not.toHaveBeenCalled();
    parent = 1;
    vi.advanceTimersByTime(10_000);
    expect(ended).toHaveBeenCalledTimes(times);
  });
});

// Not run on Windows itself; the processes are simulated.
describe("on Windows, where parents keep their numbers", () => {
  /** npm (1), the shell it started (2), and which process started which. */
  const processes = (parents: Readonly<Record<number, number>>) => {
    const living = new Set([1, 2]);
    const parentOf = async (pid: number) => parents[pid] ?? null;
    const npmLives = watchOnWindows(2, { lives: (pid) => living.has(pid), parentOf });
    return { npmLives, end: (pid: number) => living.delete(pid) };
  };

  it.each([1, 2])("npm is gone with it, or with its shell (%i)", async (pid) => {
    const { npmLives, end } = processes({ 2: 1 });
    await Promise.resolve();
    expect(npmLives()).toBe(true);
    end(pid);
    expect(npmLives()).toBe(false);
  });

  it("its shell is looked at even where nobody says who started it", async () => {
    const { npmLives, end } = processes({});
    await Promise.resolve();
    end(1);
    expect(npmLives()).toBe(true);
    end(2);
    expect(npmLives()).toBe(false);
  });
});
