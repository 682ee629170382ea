import type { PathPlatform } from "../files/paths/path-rules.ts";

/** Identifies processes that a command left behind (`linux-family.ts`). */
export const MARKER_VARIABLE = "CONSENTRY_COMMAND";

export interface EnvironmentParts {
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
