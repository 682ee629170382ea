import type { JsonObject } from "../../../app/contract/json.ts";
import { httpAccess } from "../local/http-access.ts";
import { type HookPlace, hookAccess } from "./hook-place.ts";
import { PERMISSION_EVENT } from "./hook-question.ts";
import { REPORT_EVENTS, SESSION_END, SESSION_EVENTS } from "./hook-report.ts";

/** The only agent with hooks over HTTP. */
export const HTTP_HOOK_AGENT = "claude-code";
/** Seconds that the agent waits for an answer. */
const PATIENCE_SECONDS = 300;
const REPORT_SECONDS = 20;
/** Ours is over before the agent's own limit. */
export const HTTP_HOOK_LIMIT_MS = (PATIENCE_SECONDS - 20) * 1_000;

/** What stands in Claude Code's settings for hooks over HTTP. */
function httpHookSettings({
  url,
  headers,
}: {
  readonly url: string;
  readonly headers: { readonly Authorization: string };
}): JsonObject {
  const matcher = "*";
  const hook = { type: "http", url, headers };
  const before = { ...hook, timeout: PATIENCE_SECONDS, onFailure: "block" };
  const after = { ...hook, timeout: REPORT_SECONDS };
  const reports = Object.keys(REPORT_EVENTS[HTTP_HOOK_AGENT]);
  return {
    hooks: Object.fromEntries([
      ...["PreToolUse", PERMISSION_EVENT].map(
        (event) => [event, [{ matcher, hooks: [before] }]] as const,
      ),
      ...[...reports, ...SESSION_EVENTS, SESSION_END].map(
        (event) => [event, [{ matcher, hooks: [after] }]] as const,
      ),
    ]),
  };
}

/**
 * Asks the person to add the agent if they have not yet, and prints what it needs.
 * @returns the exit code
 */
export async function printHttpSettings(place: HookPlace): Promise<number> {
  const access = await httpAccess({
    ...hookAccess(place),
    start: async () => {},
    say: (line) => console.error(line),
  });
  if (access === null) return 2;
  console.log(JSON.stringify(httpHookSettings(access), null, 2));
  return 0;
}
