import { flagError, helpAsked } from "./flags.ts";

export interface Stoppable {
  /** True when there is nothing to run: another instance has taken over. */
  readonly ended?: boolean;
  close(): Promise<void>;
}

export interface Surroundings {
  readonly onSignal: (stop: () => void) => void;
  readonly stderr: (line: string) => void;
  readonly exit: (code: number) => void;
}

/** Ends the running or starting program, and exits; a second call does nothing. */
export type Stop = () => void;

/**
 * Starts the program and ends it cleanly at the first signal, or when `stop` is called: close,
 * then exit 0. A start that fails says why in one line and exits 1, or 2 for unreadable flags.
 */
export function runUntilStopped(
  start: (stop: Stop) => Promise<Stoppable>,
  around: Surroundings,
): Promise<void> {
  let ending = false;
  const failed = (error: unknown) => {
    const { line, exitCode } = farewellOf(error);
    around.stderr(line);
    around.exit(exitCode);
  };
  const stop = () => {
    if (ending) return;
    ending = true;
    running.then((program) => program.close()).then(() => around.exit(0), failed);
  };
  const running = new Promise<Stoppable>((resolve) => resolve(start(stop)));
  around.onSignal(stop);
  return running.then(
    ({ ended }) => {
      if (ended === true) stop();
    },
    (error) => {
      if (!ending) failed(error);
    },
  );
}

/** Milliseconds in which one Ctrl-C may arrive several times: from terminal, npm and our starter. */
const SAME_SIGNAL_MS = 2_000;

/** The first signal stops the program cleanly; a separate later one ends it at once. */
export function signalHandler(parts: {
  readonly now: () => number;
  readonly stop: () => void;
  readonly endAtOnce: () => void;
}): () => void {
  let firstAt: number | null = null;
  return () => {
    if (firstAt === null) {
      firstAt = parts.now();
      parts.stop();
    } else if (parts.now() - firstAt > SAME_SIGNAL_MS) parts.endAtOnce();
  };
}

/** What asks a program to end. SIGHUP comes when its terminal is closed. */
export const END_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * What reads our output can end before us: `head`, or the terminal. Without a listener for the error, Node
 * would then end the program in the middle of its work.
 */
export function ignoreClosedOutputs(): void {
  for (const output of [process.stdout, process.stderr]) output.on("error", () => {});
}

/** Exit code of a program that a signal ended before it could end itself. */
const CUT_SHORT = 130;

/** The process the program runs in. */
export function processSurroundings(exit: (code: number) => void): Surroundings {
  ignoreClosedOutputs();
  return {
    onSignal(stop) {
      const now = () => performance.now();
      const handle = signalHandler({ now, stop, endAtOnce: () => exit(CUT_SHORT) });
      for (const signal of END_SIGNALS) process.on(signal, handle);
      // Only the start command has a channel to this process. It is gone, so nobody else can end it.
      process.once("disconnect", stop);
    },
    stderr: (line) => process.stderr.write(`${line}\n`),
    exit,
  };
}

interface Farewell {
  /** One line for the person who started the program. */
  readonly line: string;
  readonly exitCode: 0 | 1 | 2;
}

/** The exit code when the program did not start: 0 for `--help`, 2 for flags it cannot read, else 1. */
export function farewellOf(error: unknown): Farewell {
  if (helpAsked.is(error)) return { line: error.message, exitCode: 0 };
  if (flagError.is(error)) return { line: oneLine(error.message), exitCode: 2 };
  if (error instanceof Error && "code" in error && typeof error.code === "string") {
    const said = error.message === error.code ? "" : `: ${oneLine(error.message)}`;
    return { line: `Consentry could not start (${error.code})${said}`, exitCode: 1 };
  }
  const name = error instanceof Error ? error.name : typeof error;
  // The message of an unknown error may contain what must not be printed (docs/threat-model.md).
  return { line: `Consentry could not start (internal_error: ${name})`, exitCode: 1 };
}

const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim();
