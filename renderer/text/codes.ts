import type { ActivityRow } from "../../app/bridge/views.ts";
import { CHAIN_FAULTS } from "../../app/contract/audit-log.ts";
import { ERROR_CODES, REASONS } from "../../app/contract/codes.ts";
import type { TextKey, Translate } from "../../i18n/index.ts";
import { visibleString } from "./visible-text.ts";

function known<W extends string>(words: readonly W[], word: string): W | undefined {
  return words.find((each) => each === word);
}

/** A reason in words; an unknown reason of a newer host is shown as it is. */
export function reasonText(t: Translate, reason: string | null): string {
  if (reason === null) return "";
  if (reason === UNANSWERED || reason === THERE) return t(`activity.${reason}`);
  const word = known(REASONS, reason);
  return word === undefined ? visibleString(reason) : t(`reason.${word}`);
}

const UNANSWERED = "interrupted_unanswered";
const THERE = "answered_there";

type Decided = Pick<ActivityRow, "reason" | "decided_by">;

/** Null where what decided says it all: the person did not deny what a pause, a profile or a rule denied. */
export function reasonOf({ reason, decided_by }: Decided): string | null {
  if (reason === "user_refused" && decided_by !== "person") return null;
  if (reason === "cancelled" && decided_by === "agent") return THERE;
  // Nothing had decided it: it was shown when the program was killed.
  return reason === "interrupted" && decided_by === "contract" ? UNANSWERED : reason;
}

/** The reason in words, or what decided; empty if there is no reason. */
export const whyText = (t: Translate, call: Decided): string =>
  call.reason === null ? "" : reasonText(t, reasonOf(call)) || t(`decided_by.${call.decided_by}`);

export function errorCodeText(t: Translate, code: string | null): string {
  if (code === null) return "";
  const word = known(ERROR_CODES, code);
  return word === undefined ? visibleString(code) : t(`error_code.${word}`);
}

export const faultKey = (fault: string | null): TextKey =>
  `activity.fault.${known(CHAIN_FAULTS, fault ?? "") ?? "unknown"}`;
