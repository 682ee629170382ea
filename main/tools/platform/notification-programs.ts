import { clickableNotifications, type NotificationHost } from "./notification-clicks.ts";
import type { NotificationService, NotificationText } from "./platform-services.ts";
import { programOutput, runProgram } from "./run-program.ts";

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
