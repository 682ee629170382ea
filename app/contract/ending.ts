import type { CarriedOut } from "./carried-out.ts";
import { STATUSES } from "./codes.ts";

/** How a finished call is shown to the person, found and counted. */
export const ENDINGS = [...STATUSES, "cancelled", "interrupted"] as const;
export type Ending = (typeof ENDINGS)[number];

/**
 * Two errors are endings of their own: a call that was cancelled, and one that the end of the program interrupted,
 * so that how far it got is unknown (contract §6). A call that was allowed here failed if its agent, which carried it
 * out itself, says so.
 */
export function endingOf<S extends string>(outcome: {
  readonly status: S;
  readonly reason: string | null;
  readonly carried_out?: CarriedOut | null;
}): S | Ending {
  const { status, reason, carried_out = null } = outcome;
  if (status === "error" && (reason === "cancelled" || reason === "interrupted")) return reason;
  return status === "ok" && carried_out === "failed" ? "error" : status;
}
