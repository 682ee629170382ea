import { type ChildProcess, spawn } from "node:child_process";
import type { ConversationPlace, NotificationText } from "./platform-services.ts";
import { ProgramFailed, programOutput } from "./run-program.ts";

/** What notifications need from the host that shows them. */
export interface NotificationHost {
  /** The person clicked on a notification. */
  readonly opened: (place: ConversationPlace) => void;
  /** Aborted when the host ends; programs that wait for clicks end with it. */
  readonly ended: AbortSignal;
}

/** Maximum number of programs waiting for a click; the oldest is ended for a newer one. */
export const WAITING_AT_MOST = 8;

/**
 * The action invoked by a click on the notification itself (Desktop Notifications 1.2, "Actions").
 */
const CLICK = "default";
/** Enough for a number with its newline, or an action's name. */
const OUTPUT_MAX_BYTES = 256;

interface Waiting {
  readonly child: ChildProcess;
  /** The notification's number at the server. */
  readonly id: string;
}

/**
 * Notifications that report clicks. notify-send prints into a pipe only when it ends, so one
 * process shows the notification and prints its number; a second one replaces that notification and
 * waits for the click.
 */
export function clickableNotifications(parts: {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly host: NotificationHost;
}) {
  const { program, env, host } = parts;
  const waiting = new Set<Waiting>();
  /** Numbers by the name under which they were shown: at most one per agent. */
  const numbers = new Map<string, string>();

  const end = (each: Waiting): void => {
    waiting.delete(each);
    each.child.kill("SIGKILL");
  };
  host.ended.addEventListener("abort", () => waiting.forEach(end), { once: true });

  function waitForClick(id: string, text: readonly string[], clicked: () => void): void {
    // The older one would report the click a second time.
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
    /**
     * Resolves once the server has accepted it. @param text title and body in the server's format
     */
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

/** However it ends; its output is limited to a few bytes. */
function whenEnded(child: ChildProcess, ended: (printed: string) => void): void {
  let printed = "";
  child.stdout?.on("data", (bytes: Buffer) => {
    printed = (printed + bytes.toString("latin1")).slice(0, OUTPUT_MAX_BYTES);
  });
  // If starting the waiting program fails, nothing is lost: the notification is already shown.
  child.once("error", () => ended(""));
  child.once("close", () => ended(printed));
}
