import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Turn, TurnOrder } from "../measure.ts";
import type { Mode, Subject } from "./subject.ts";

type Said =
  | { readonly event: "ready" }
  | { readonly event: "code"; readonly code: string }
  | { readonly event: "turn"; readonly turn: Turn };

export interface MeasuredProcessOptions {
  readonly name: string;
  readonly modes: readonly Mode[];
  /** Relative to `bench/processes/`. */
  readonly entry: string;
  readonly args: readonly string[];
  /** The home folder it uses; absent: the user's own. */
  readonly home?: string;
  /** The agent asks to be connected, and shows this code. */
  readonly onCode?: (code: string) => void;
}

/** Resolves when the process is ready to be measured; rejects if it ends first. */
export async function startMeasured(options: MeasuredProcessOptions): Promise<Subject> {
  const { name, modes, entry, args, home, onCode } = options;
  const path = fileURLToPath(new URL(`../processes/${entry}`, import.meta.url));
  const child = fork(path, args, {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    ...(home === undefined ? {} : { env: atHome(home) }),
  });
  const hear = async (wanted: Said["event"]): Promise<Said> => {
    for (;;) {
      const said = await nextSaid(child, name);
      if (said.event === "code") onCode?.(said.code);
      if (said.event === wanted) return said;
    }
  };
  await hear("ready");
  return {
    name,
    modes,
    async turn(order: TurnOrder) {
      const heard = hear("turn");
      child.send(order);
      const said = await heard;
      if (said.event !== "turn") throw new Error(`${name} answered ${said.event}`);
      return said.turn;
    },
    async close() {
      if (child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}

async function nextSaid(child: ChildProcess, name: string): Promise<Said> {
  const stop = new AbortController();
  const { signal } = stop;
  try {
    const [said] = await Promise.race([
      once(child, "message", { signal }),
      once(child, "exit", { signal }).then(([code]) => {
        throw new Error(`${name} ended with ${code}`);
      }),
    ]);
    return said;
  } finally {
    stop.abort();
  }
}

/** Agents store keys in the home folder: these are deleted after the measurement. */
export const atHome = (folder: string): NodeJS.ProcessEnv => ({
  ...process.env,
  HOME: folder,
  USERPROFILE: folder,
});
