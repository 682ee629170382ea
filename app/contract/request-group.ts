import type { ConsentRequest } from "./consent-request.ts";
import { callTarget } from "./target/call-target.ts";
import type { CallTarget, TargetedCall } from "./target/target.ts";

/** A request, and what its line on a shared card is made from. */
export type ListedRequest = ConsentRequest & Pick<TargetedCall, "folders">;

/** What a list of reads, changes, commands and pages has no line for. */
const ALONE: ReadonlySet<CallTarget["kind"]> = new Set([
  "send",
  "copy_text",
  "copy_image",
  "read_clipboard",
  "read_clipboard_image",
  "notify",
  "locate",
  "locate_exactly",
  "approve_plan",
  "answer_question",
  "other",
]);

/**
 * Whether a request may stand on one card with others of its agent (contract §3): a medium one that is neither marked nor
 * gives a folder or host, and that no dialog of the agent's waits behind.
 */
export function mayShareCard(request: ListedRequest): boolean {
  const target = callTarget(request);
  return (
    request.sensitivity === "medium" &&
    request.root_wanted === null &&
    request.host_wanted === null &&
    request.preview?.kind !== "not_shown" &&
    request.answers.includes("allow_once") &&
    !request.dialog_after &&
    target.marks.length === 0 &&
    !ALONE.has(target.kind)
  );
}
