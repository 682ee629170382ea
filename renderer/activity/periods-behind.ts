import type { ActivityRow, QuietPeriodView, RuleView } from "../../app/bridge/views.ts";
import { assertNever } from "../../app/contract/assert-never.ts";
import type { CallSubject } from "../../app/contract/call-subject.ts";
import { isInFolder } from "../../app/contract/folder-path.ts";
import type { RuleSubject } from "../../app/contract/rule-subject.ts";
import { partsOf } from "../text/target-words.ts";

/**
 * The quiet periods still open that may have decided this call. What the call was about tells which,
 * as long as it is known; otherwise there can be several.
 */
export const periodsBehind = (
  row: ActivityRow,
  periods: readonly QuietPeriodView[],
): readonly QuietPeriodView[] =>
  periods.filter(
    ({ conversation_id, scope, opened_at, subject }) =>
      conversation_id === row.conversation_id &&
      scope === row.scope &&
      opened_at <= row.timestamp &&
      mayCover(subject, row),
  );

/** The rules that are still there and may have decided this call, told apart in the same way. */
export const rulesBehind = (row: ActivityRow, rules: readonly RuleView[]): readonly RuleView[] =>
  rules.filter(
    ({ covers, effect, made_at, subject }) =>
      (covers === row.tool_name || covers === row.scope) &&
      (effect === "deny") === (row.reason === "user_refused") &&
      effect !== "ask" &&
      made_at <= row.timestamp &&
      mayCover(subject, row),
  );

function mayCover(subject: CallSubject | RuleSubject, { target }: ActivityRow): boolean {
  if (target === undefined) return true;
  const parts = partsOf(target).map(([, part]) => part);
  switch (subject.kind) {
    case "scope":
    case "anything":
    case "command":
      return true;
    case "folder":
    case "path":
      return parts.some((part) => part.kind === "path" && isInFolder(subject.path, part.path));
    case "host":
      return parts.some((part) => part.kind === "address" && part.host.includes(subject.host));
    default:
      return assertNever(subject);
  }
}
