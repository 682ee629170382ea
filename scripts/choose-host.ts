export type Host = "desktop" | "browser";

/** Facts about the machine, and what was asked for. */
export interface HostFacts {
  /** The value of `--host`, if given. */
  readonly wanted: string | null;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Path of an installed Electron binary. */
  readonly electron: string | null;
  /** Why Electron was not fetched, after trying to. */
  readonly notFetched: string | null;
}

export type HostChoice =
  | { readonly host: Host; readonly why: string }
  | { readonly host: null; readonly why: string };

/** Which host can run here. If one was asked for, it is never silently replaced by the other. */
export function chooseHost(facts: HostFacts): HostChoice {
  if (facts.wanted === "browser") return { host: "browser", why: "--host browser" };
  if (facts.wanted !== null && facts.wanted !== "desktop") {
    return { host: null, why: "--host takes one of: desktop, browser" };
  }
  const lacking = whatDesktopLacks(facts);
  if (facts.wanted === "desktop") {
    return lacking === null
      ? { host: "desktop", why: "--host desktop" }
      : { host: null, why: `The desktop host cannot run here: ${lacking}.` };
  }
  return lacking === null
    ? { host: "desktop", why: "Electron and a display are here" }
    : { host: "browser", why: lacking };
}

/** Whether the desktop host could run here if Electron were fetched. A folder that the person named is left alone. */
export function lacksOnlyElectron(facts: HostFacts): boolean {
  if (facts.electron !== null || facts.env.ELECTRON_OVERRIDE_DIST_PATH) return false;
  return chooseHost({ ...facts, electron: "fetched" }).host === "desktop";
}

function whatDesktopLacks({
  electron,
  platform,
  env,
  wanted,
  notFetched,
}: HostFacts): string | null {
  const screen = whatScreenLacks(platform, env, wanted);
  if (screen !== null || electron !== null) return screen;
  const how = "for a window, start again with a network that allows it, or set ELECTRON_MIRROR";
  return notFetched === null
    ? "no Electron binary is installed"
    : `Electron was not fetched: ${notFetched}; ${how}`;
}

function whatScreenLacks(
  platform: HostFacts["platform"],
  env: HostFacts["env"],
  wanted: string | null,
): string | null {
  if (platform === "darwin" || platform === "win32") return null;
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return "there is no display";
  // The display may be forwarded or belong to somebody else; whoever wants to use it has to say so.
  const remote = env.SSH_CONNECTION || env.SSH_TTY;
  return remote && wanted === null ? "this is a remote shell" : null;
}

/** The value of `--host`, in either notation; the program itself parses the other flags. */
export function wantedHost(argv: readonly string[]): string | null {
  const index = argv.findLastIndex((word) => word === "--host" || word.startsWith("--host="));
  const word = argv[index];
  if (word === undefined) return null;
  return word === "--host" ? (argv[index + 1] ?? "") : word.slice("--host=".length);
}
