import type { Scheduler } from "../../app/execution/ports.ts";
import type { Flags } from "./flags.ts";

/** Time as the program is given it, so that a test can bring its own. */
export interface TimeSource {
  /** Milliseconds since the epoch, as the system says. */
  readonly wall: { now(): number };
  /** Milliseconds that only ever grow. */
  readonly monotonic: { now(): number };
  readonly scheduler: Scheduler;
}

export interface LaunchOptions {
  readonly flags: Flags;
  readonly time: TimeSource;
  /** Folder of the built program (`dist/main`): workers and the renderer lie beside it. */
  readonly distDir: URL;
  /** One line of JSON for programs that started us. */
  readonly stdout: (line: string) => void;
  /** Everything for people. */
  readonly stderr: (line: string) => void;
}
