export type Host = "desktop" | "browser";

/** What is known of the machine and of what was asked for. */
export interface HostFacts {
  /** The value of `--host`, if one was given. */
  readonly wanted: string | null;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Path of an Electron binary that is already there. */
  readonly electron: string | null;
}

export type HostChoice =
  | { readonly host: Host; readonly why: string }
  | { readonly host: null; readonly why: string };

/** Which host can run here. What was asked for is never silently replaced by the other one. */
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

function whatDesktopLacks({ electron, platform, env, wanted }: HostFacts): string | null {
  if (electron === null) return "no Electron binary is installed";
  if (platform === "darwin" || platform === "win32") return null;
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return "there is no display";
  // A display may be forwarded, or another person's; who wants it says so.
  const remote = env.SSH_CONNECTION || env.SSH_TTY;
  return remote && wanted === null ? "this is a remote shell" : null;
}

/** The value of `--host`, however it is written; the program itself reads the other flags. */
export function wantedHost(argv: readonly string[]): string | null {
  const index = argv.findLastIndex((word) => word === "--host" || word.startsWith("--host="));
  const word = argv[index];
  if (word === undefined) return null;
  return word === "--host" ? (argv[index + 1] ?? "") : word.slice("--host=".length);
}
