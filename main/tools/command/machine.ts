import { homedir } from "node:os";
import { win32 } from "node:path";
import { type PathPlatform, pathPlatform } from "../files/paths/path-rules.ts";

/** Fixed facts about the computer that commands run on. */
export interface Machine {
  readonly platform: PathPlatform;
  /** Our own environment, little of which is passed on. */
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly folders: readonly string[];
}

export function thisMachine(): Machine {
  const platform = pathPlatform(process.platform);
  const { env } = process;
  return { platform, env, home: homedir(), folders: programFolders(platform, env) };
}

/**
 * The folders in which a bare program name is looked up, and the command's own `PATH`. Fixed:
 * neither the agent nor whoever started us can change what `git` means.
 */
const POSIX = [
  "/usr/local/bin",
  "/usr/bin",
  "/bin",
  "/usr/local/sbin",
  "/usr/sbin",
  "/sbin",
  // The only place where NixOS has its programs.
  "/run/current-system/sw/bin",
] as const;

const DARWIN = [
  "/opt/homebrew/bin",
  "/usr/local/bin",
  "/usr/bin",
  "/bin",
  "/usr/sbin",
  "/sbin",
] as const;

/** @param env our own; on Windows it says where the system is installed */
export function programFolders(platform: PathPlatform, env: NodeJS.ProcessEnv): readonly string[] {
  if (platform === "posix") return POSIX;
  if (platform === "darwin") return DARWIN;
  const system = env.SystemRoot ?? "C:\\Windows";
  const programs = env.ProgramFiles ?? "C:\\Program Files";
  return [
    win32.join(system, "System32"),
    system,
    win32.join(system, "System32", "WindowsPowerShell", "v1.0"),
    win32.join(programs, "Git", "cmd"),
    win32.join(programs, "nodejs"),
  ];
}

export const pathVariable = (folders: readonly string[], platform: PathPlatform): string =>
  folders.join(platform === "win32" ? ";" : ":");

/** Identifies processes that a command left behind (`linux-family.ts`). */
export const MARKER_VARIABLE = "CONSENTRY_COMMAND";

interface EnvironmentParts {
  readonly platform: PathPlatform;
  /** Our own environment, from which only a few variables are passed on. */
  readonly own: NodeJS.ProcessEnv;
  readonly path: string;
  readonly directory: string;
  readonly home: string;
  readonly temporary: string;
  readonly marker: string;
}

/** What Windows programs need to find the system and the person's folders. */
const WINDOWS_KEPT = [
  "SystemRoot",
  "SystemDrive",
  "windir",
  "ComSpec",
  "ProgramFiles",
  "ProgramData",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
] as const;

/**
 * The complete environment of a command, as described in the schema of `run_command`. Nothing else
 * of ours is passed on: no tokens, `NODE_OPTIONS`, `LD_*`, nor sockets of buses, agents or
 * displays. Pure.
 */
export function commandEnvironment(parts: EnvironmentParts): Readonly<Record<string, string>> {
  const marked = { PATH: parts.path, [MARKER_VARIABLE]: parts.marker };
  if (parts.platform === "win32") {
    const { temporary } = parts;
    const fixed = { PATHEXT: ".COM;.EXE", TEMP: temporary, TMP: temporary };
    return { ...kept(parts.own, WINDOWS_KEPT), ...fixed, ...marked };
  }
  const language = Object.keys(parts.own).filter((name) => /^LC_[A-Z]+$/u.test(name));
  return {
    LANG: "C.UTF-8",
    ...kept(parts.own, ["LANG", "TZ", ...language]),
    HOME: parts.home,
    PWD: parts.directory,
    TMPDIR: parts.temporary,
    TERM: "dumb",
    // Node's pipes are sockets. Without this, bash would assume a remote login and read
    // `~/.bashrc`.
    SHLVL: "1",
    ...marked,
  };
}

function kept(own: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = own[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
