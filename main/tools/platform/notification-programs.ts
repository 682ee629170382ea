import { type ChildProcess, spawn } from "node:child_process";
import type {
  ConversationPlace,
  NotificationService,
  NotificationText,
} from "./platform-services.ts";
import { programFailed, programOutput, runProgram } from "./run-program.ts";

type Env = Readonly<Record<string, string>>;

/** Maximum bytes of the output of `notify-send --help`. */
const HELP_MAX_BYTES = 65_536;
const NEEDED_OPTIONS = ["--action", "--print-id", "--replace-id"];

/** Text is passed as whole arguments after `--`: never as an option, never as part of a script. */

/**
 * freedesktop.org notifications. A notify-send that can report clicks (libnotify 0.8) keeps running
 * to wait for one; an older one shows the notification and ends.
 */
export function notifySend(program: string, env: Env, host: NotificationHost): NotificationService {
  const clickable = clickableNotifications({ program, env, host });
  let tellsClicks: Promise<boolean> | undefined;
  return {
    async show(notification, signal) {
      tellsClicks ??= hasOptions(program, env, host.ended);
      const text = [notification.title, notifySendBody(notification.body)];
      if (await tellsClicks) return clickable.show(notification, text, signal);
      if (isRepeated(notification)) return;
      await runProgram({ program, argv: ["--app-name=Consentry", "--", ...text], env }, signal);
    },
  };
}

/**
 * If notifications cannot be replaced, repeating the combined one would be the flood it is meant to
 * prevent.
 */
const isRepeated = ({ folded }: NotificationText): boolean => folded > 1;

/**
 * Checked once. The answer is about the program rather than a call, so no call's signal ends it.
 */
async function hasOptions(program: string, env: Env, ended: AbortSignal): Promise<boolean> {
  try {
    const help = await programOutput({ program, argv: ["--help"], env }, HELP_MAX_BYTES, ended);
    return NEEDED_OPTIONS.every((option) => help.includes(option));
  } catch {
    return false;
  }
}

/**
 * Servers read the body as markup with links and images, and notify-send unescapes backslashes in
 * it; both would let an agent display more than text.
 */
function notifySendBody(body: string): string {
  return body
    .replaceAll("\\", "\\\\")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

/** macOS: the script is constant and receives the text as arguments. Clicks are not reported. */
export function macNotifications(osascript: string, env: Env): NotificationService {
  const script = [
    "on run argv",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "end run",
  ].flatMap((line) => ["-e", line]);
  return {
    async show(notification, signal) {
      if (isRepeated(notification)) return;
      const { title, body } = notification;
      await runProgram({ program: osascript, argv: [...script, "--", title, body], env }, signal);
    },
  };
}

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
function clickableNotifications(parts: {
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
  if (!/^[0-9]{1,10}$/.test(id)) throw programFailed("program_failed", { message: "no number" });
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
