import { STATUSES } from "../contract/codes.ts";

/** How a finished call is shown to the person. */
export const ENDINGS = [...STATUSES, "interrupted"] as const;
export type Ending = (typeof ENDINGS)[number];

/**
 * A call interrupted by the end of the program has the outcome `error`, but how far it got is
 * unknown, so it is always shown as interrupted (contract §6).
 */
export const endingOf = <S extends string>(outcome: {
  readonly status: S;
  readonly reason: string | null;
}): S | "interrupted" =>
  outcome.status === "error" && outcome.reason === "interrupted" ? "interrupted" : outcome.status;
