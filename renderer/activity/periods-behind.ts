import type { ActivityRow, QuietPeriodView } from "../../app/bridge/views.ts";
import type { CallSubject } from "../../app/contract/call-subject.ts";
import { isInFolder } from "../../app/contract/folder-path.ts";
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

function mayCover(subject: CallSubject, { target }: ActivityRow): boolean {
  if (target === undefined || subject.kind === "scope") return true;
  return partsOf(target).some(([, part]) =>
    subject.kind === "folder"
      ? part.kind === "path" && isInFolder(subject.path, part.path)
      : part.kind === "address" && part.host.includes(subject.host),
  );
}
