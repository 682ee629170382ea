import type { NotificationService } from "./platform-services.ts";
import { runProgram } from "./run-program.ts";

type Env = Readonly<Record<string, string>>;

/** Text goes in as whole arguments after `--`: never an option, never part of a script. */

/** freedesktop notifications. */
export function notifySend(program: string, env: Env): NotificationService {
  return {
    async show({ title, body }, signal) {
      const argv = ["--app-name=Consentry", "--", title, notifySendBody(body)];
      await runProgram({ program, argv, env }, signal);
    },
  };
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

/** macOS: the script is constant and takes the text from its own arguments. */
export function macNotifications(osascript: string, env: Env): NotificationService {
  const script = [
    "on run argv",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "end run",
  ].flatMap((line) => ["-e", line]);
  return {
    async show({ title, body }, signal) {
      await runProgram({ program: osascript, argv: [...script, "--", title, body], env }, signal);
    },
  };
}
