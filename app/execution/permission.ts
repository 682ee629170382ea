import type { Refusal } from "../contract/codes.ts";
import type { ConsentPreview } from "../contract/consent-preview.ts";
import type { DecidedBy, Decision } from "../contract/decided-by.ts";
import type { NetworkHost } from "../contract/network-host.ts";
import type { Root } from "../grants/grant.ts";

/** What the call may use, and what the person saw. */
export interface Given {
  readonly kind: "given";
  readonly by: Decision;
  readonly roots: readonly Root[];
  /** What was given for this call alone; null: nothing. */
  readonly once: Root | null;
  readonly hosts: readonly NetworkHost[];
  /** All that the scope lets the agent do, not only what the call names. */
  readonly whole_scope: boolean;
  readonly seen: string | null;
  readonly shown: ConsentPreview | null;
}

export type Permission =
  | Given
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly by: Decision }
  /** The program is shutting down; the call stays unanswered and is delivered again. */
  | { readonly kind: "postponed" };

export const refusedBy = (by: DecidedBy, refusal: Refusal): Permission => ({
  kind: "refused",
  refusal,
  by: { decided_by: by },
});
