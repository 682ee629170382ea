import { STATUSES } from "../contract/codes.ts";

/** How a finished call is shown to the person. */
export const ENDINGS = [...STATUSES, "interrupted"] as const;
export type Ending = (typeof ENDINGS)[number];

/**
 * A call that the program's own end interrupted has the outcome `error`, but how far it got is
 * unknown: it is shown as interrupted and never as anything else (contract §6).
 */
export const endingOf = <S extends string>(outcome: {
  readonly status: S;
  readonly reason: string | null;
}): S | "interrupted" =>
  outcome.status === "error" && outcome.reason === "interrupted" ? "interrupted" : outcome.status;
