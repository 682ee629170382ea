import type { Translate } from "../../i18n/index.ts";
import { visibleString } from "../text/visible-text.ts";

/** Of the hub's codes those that a message or a manifest can be refused with. */
const KNOWN = [
  "NOT_A_MEMBER",
  "NOT_RELATED",
  "NOT_FOUND",
  "RECIPIENT_QUEUE_FULL",
  "RATE_LIMITED",
  "BODY_TOO_LARGE",
  "MANIFEST_INVALID",
  "MANIFEST_TOO_LARGE",
  "FORBIDDEN",
  "INTERNAL",
] as const;

/** Why the hub did not take it; a code that is not known here is shown as it is. */
export function hubErrorText(t: Translate, code: string): string {
  const known = KNOWN.find((each) => each === code);
  return known === undefined ? visibleString(code) : t(`conversations.hub_error.${known}`);
}
