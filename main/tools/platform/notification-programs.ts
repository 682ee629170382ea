import { clickableNotifications, type NotificationHost } from "./notification-clicks.ts";
import type { NotificationService, NotificationText } from "./platform-services.ts";
import { programOutput, runProgram } from "./run-program.ts";

type Env = Readonly<Record<string, string>>;

/** Bytes of `notify-send --help`. */
const HELP_MAX_BYTES = 65_536;
const NEEDED_OPTIONS = ["--action", "--print-id", "--replace-id"];

/** Text goes in as whole arguments after `--`: never an option, never part of a script. */

/**
 * freedesktop notifications. A notify-send that can tell of clicks (libnotify 0.8) is kept waiting
 * for one; an older one shows and ends.
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

/** Where none can be replaced, a row of folded ones would be the very flood they stand for. */
const isRepeated = ({ folded }: NotificationText): boolean => folded > 1;

/** Asked once: the answer is the program's, not a call's, so no call's signal ends it. */
async function hasOptions(program: string, env: Env, ended: AbortSignal): Promise<boolean> {
  try {
    const help = await programOutput({ program, argv: ["--help"], env }, HELP_MAX_BYTES, ended);
    return NEEDED_OPTIONS.every((option) => help.includes(option));
  } catch {
    return false;
  }
}

/**
 * Servers read the body as markup with links and images, and notify-send itself unescapes
 * backslashes in it; both would let an agent draw more than text.
 */
function notifySendBody(body: string): string {
  return body
    .replaceAll("\\", "\\\\")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

/** macOS: the script is constant and takes the text from its own arguments. It tells no clicks. */
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
