import Type, { type Static } from "typebox";
import { LIMITS } from "./limits.ts";

export const LANGUAGES = ["en", "de", "zh-CN"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Milliseconds. The person may lengthen the countdown, never shorten or remove it (contract §3). */
export const CONSENT_TIMEOUT = {
  minimum: LIMITS.consentTimeoutMs,
  maximum: LIMITS.consentTimeoutCapMs,
  default: LIMITS.consentTimeoutMs,
} as const;

/**
 * Every setting of the person's, what it may be and what it is at first. Bridge, store and form
 * take all of that from here.
 */
export const Settings = Type.Object(
  {
    /** Null follows the system. */
    language: Type.Union([Type.Enum(LANGUAGES), Type.Null()], { default: null }),
    consent_timeout_ms: Type.Integer(CONSENT_TIMEOUT),
    /** Whether anything is told by notifications of the system or the browser. */
    notifications: Type.Boolean({ default: true }),
  },
  { additionalProperties: false },
);
export type Settings = Readonly<Static<typeof Settings>>;
