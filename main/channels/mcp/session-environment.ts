import { findProgram, isProgram } from "../../tools/platform/find-program.ts";
import { programOutput } from "../../tools/platform/run-program.ts";

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

/**
 * The environment for a program with a window. Some apps pass only a few variables on to an MCP server, and
 * no display. On Linux the one of the person's session is then taken from their service manager (systemd);
 * not in a remote shell, where nobody may look at that session.
 * @param env ours
 */
export async function sessionEnvironment(env: Environment): Promise<Environment> {
  const hasDisplay = env.DISPLAY || env.WAYLAND_DISPLAY;
  const isRemote = env.SSH_CONNECTION || env.SSH_TTY;
  if (process.platform !== "linux" || hasDisplay || isRemote) return env;
  return { ...env, ...(await ofServiceManager(env).catch(() => ({}))) };
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
