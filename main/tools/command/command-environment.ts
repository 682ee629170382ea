import type { PathPlatform } from "../files/paths/path-rules.ts";

/** By it, what a command left behind is found (`linux-family.ts`). */
export const MARKER_VARIABLE = "CONSENTRY_COMMAND";

export interface EnvironmentParts {
  readonly platform: PathPlatform;
  /** Our own environment, of which a few variables pass. */
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
 * The whole environment of a command, as the schema of `run_command` states it. Nothing else of
 * ours passes: no token, no `NODE_OPTIONS`, no `LD_*`, no bus, agent or display socket. Pure.
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
    // Node's pipes are sockets, which bash takes for a remote login and reads `~/.bashrc`, unless
    // it is told that a shell runs above it.
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
