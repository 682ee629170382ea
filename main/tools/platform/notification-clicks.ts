import { type ChildProcess, spawn } from "node:child_process";
import type { ConversationPlace, NotificationText } from "./platform-services.ts";
import { ProgramFailed, programOutput } from "./run-program.ts";

/** What notifications need of the host that shows them. */
export interface NotificationHost {
  /** The person clicked on a notification. */
  readonly opened: (place: ConversationPlace) => void;
  /** Ends with the host; what waits for clicks ends with it. */
  readonly ended: AbortSignal;
}

/** Programs that wait for a click at most; the oldest is ended for a newer one. */
export const WAITING_AT_MOST = 8;

/** The action a click on the notification itself invokes (Desktop Notifications 1.2, "Actions"). */
const CLICK = "default";
/** Bytes of a number with its newline, and of an action's name. */
const OUTPUT_MAX_BYTES = 256;

interface Waiting {
  readonly child: ChildProcess;
  /** The server's number of the notification. */
  readonly id: string;
}

/**
 * Notifications that tell of a click. notify-send prints into a pipe only when it ends, so one
 * process shows and says the number; a second takes its place on it and stays for the click.
 */
export function clickableNotifications(parts: {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly host: NotificationHost;
}) {
  const { program, env, host } = parts;
  const waiting = new Set<Waiting>();
  /** Numbers by the name they were shown under: one for each agent at most. */
  const numbers = new Map<string, string>();

  const end = (each: Waiting): void => {
    waiting.delete(each);
    each.child.kill("SIGKILL");
  };
  host.ended.addEventListener("abort", () => waiting.forEach(end), { once: true });

  function waitForClick(id: string, text: readonly string[], clicked: () => void): void {
    // The older one would tell of the click a second time.
    for (const older of waiting) if (older.id === id) end(older);
    const [oldest] = waiting;
    if (waiting.size >= WAITING_AT_MOST && oldest !== undefined) end(oldest);
    const argv = [...COMMON, `--replace-id=${id}`, `--action=${CLICK}=Consentry`, "--", ...text];
    const each = { id, child: spawn(program, argv, { env, stdio: ["ignore", "pipe", "ignore"] }) };
    waiting.add(each);
    whenEnded(each.child, (printed) => {
      const isOurs = waiting.delete(each);
      if (isOurs && printed.split("\n").includes(CLICK)) clicked();
    });
  }

  return {
    /** Resolves once the server has taken it. @param text title and body as the server reads them */
    async show(notification: NotificationText, text: readonly string[], signal: AbortSignal) {
      const { replaces } = notification;
      const before = replaces === null ? undefined : numbers.get(replaces);
      const replaced = before === undefined ? [] : [`--replace-id=${before}`];
      const argv = [...COMMON, "--print-id", ...replaced, "--", ...text];
      const id = numberOf(await programOutput({ program, argv, env }, OUTPUT_MAX_BYTES, signal));
      if (replaces !== null) numbers.set(replaces, id);
      if (!host.ended.aborted) waitForClick(id, text, () => host.opened(notification));
    },
  };
}

const COMMON = ["--app-name=Consentry"];

function numberOf(output: Buffer): string {
  const id = output.toString("latin1").trim();
  if (!/^[0-9]{1,10}$/.test(id)) throw new ProgramFailed("no number");
  return id;
}

/** Whatever way it ends; what it printed is cut at a few bytes. */
function whenEnded(child: ChildProcess, ended: (printed: string) => void): void {
  let printed = "";
  child.stdout?.on("data", (bytes: Buffer) => {
    printed = (printed + bytes.toString("latin1")).slice(0, OUTPUT_MAX_BYTES);
  });
  // A program that has gone meanwhile shows nothing further; its notification stands already.
  child.once("error", () => ended(""));
  child.once("close", () => ended(printed));
}
