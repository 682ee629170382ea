import { readFileSync } from "node:fs";
import { findProgram, isProgram } from "../../tools/platform/find-program.ts";
import { programOutput } from "../../tools/platform/run-program.ts";
import { askingProgram, systemProcesses } from "../local/asking-program.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a window needs to know of the session it opens in. */
const OF_SESSION: readonly string[] = [
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "XAUTHORITY",
  "XDG_CURRENT_DESKTOP",
  "XDG_RUNTIME_DIR",
  "XDG_SESSION_TYPE",
  "DBUS_SESSION_BUS_ADDRESS",
];
const PATIENCE_MS = 2_000;
const BYTES_AT_MOST = 1024 * 1024;
const OF_REMOTE_SHELL = /(?:^|\0)SSH_(?:CONNECTION|TTY)=./;

/**
 * The environment for a program with a window. Some apps pass only a few variables on to an MCP server, and
 * no display. On Linux the one of the person's session is then taken from their service manager (systemd);
 * not in a remote shell, where nobody may look at that session.
 * @param env ours
 * @param startedIn what the processes that started us began with, as `/proc` has it
 */
export async function sessionEnvironment(
  env: Environment,
  startedIn: () => readonly string[] = environmentsAbove,
): Promise<Environment> {
  const hasDisplay = env.DISPLAY || env.WAYLAND_DISPLAY;
  if (process.platform !== "linux" || hasDisplay) return env;
  // An app that passes no display on does not say either that it runs in a remote shell.
  if (startedIn().some((each) => OF_REMOTE_SHELL.test(each))) return env;
  return { ...env, ...(await ofServiceManager(env).catch(() => ({}))) };
}

/** Ours first. */
export function environmentsAbove(): readonly string[] {
  const parents = askingProgram(systemProcesses, process.pid)?.parents ?? [];
  return [process.pid, ...parents.map(({ pid }) => pid)].map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "utf8");
    } catch {
      return "";
    }
  });
}

async function ofServiceManager(env: Environment): Promise<Environment> {
  const program = findProgram("systemctl", env.PATH ?? "", isProgram);
  if (program === null) return {};
  const { XDG_RUNTIME_DIR = `/run/user/${process.getuid?.()}` } = env;
  const asking = { program, argv: ["--user", "show-environment"], env: { XDG_RUNTIME_DIR } };
  const told = await programOutput(asking, BYTES_AT_MOST, AbortSignal.timeout(PATIENCE_MS));
  return Object.fromEntries(told.toString().split("\n").flatMap(sessionVariable));
}

/** Of a line `NAME=value`. A value that stands there quoted, as for a shell, is left out. */
function sessionVariable(line: string): readonly (readonly [string, string])[] {
  const [, name = "", value = ""] = /^(\w+)=(.*)$/.exec(line) ?? [];
  return OF_SESSION.includes(name) && !value.startsWith("$'") ? [[name, value]] : [];
}
