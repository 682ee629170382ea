import type { Translate } from "../../i18n/index.ts";
import { visibleString } from "../text/visible-text.ts";

/** The codes with which the hub can refuse a message or manifest, and those of encryption. */
const KNOWN = [
  "NOT_A_MEMBER",
  "NOT_RELATED",
  "NOT_FOUND",
  "RECIPIENT_QUEUE_FULL",
  "RATE_LIMITED",
  "VOICE_UNSUPPORTED",
  "VOICE_TOO_LARGE",
  "BODY_TOO_LARGE",
  "MANIFEST_INVALID",
  "MANIFEST_TOO_LARGE",
  "FORBIDDEN",
  "OVERLOADED",
  "INTERNAL",
  "key_changed",
  "keys_missing",
  "storage_failed",
  "internal_error",
] as const;

/** Why it was refused; an unknown code is shown as it is. */
export function hubErrorText(t: Translate, code: string): string {
  const known = KNOWN.find((each) => each === code);
  return known === undefined ? visibleString(code) : t(`conversations.hub_error.${known}`);
}
