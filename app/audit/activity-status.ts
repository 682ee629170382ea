import { STATUSES } from "../contract/codes.ts";

/** How a call that is over is told to the person. */
export const ENDINGS = [...STATUSES, "interrupted"] as const;
export type Ending = (typeof ENDINGS)[number];

/**
 * A call that the program's own end cut off has the outcome `error`, but nobody knows how far it
 * came: it is told as that and nothing else (contract §6).
 */
export const endingOf = <S extends string>(outcome: {
  readonly status: S;
  readonly reason: string | null;
}): S | "interrupted" =>
  outcome.status === "error" && outcome.reason === "interrupted" ? "interrupted" : outcome.status;
