import Type, { type Static } from "typebox";
import { LIMITS } from "./limits.ts";

/** Which versions the program updates itself to. */
export const UPDATE_CHANNELS = ["stable", "beta"] as const;

/** Keys that bring up waiting requests, as Electron names them. */
export const SHORTCUTS = [
  "CommandOrControl+Alt+Space",
  "CommandOrControl+Alt+C",
  "CommandOrControl+Shift+F9",
] as const;

export const LANGUAGES = ["en", "de", "zh-CN"] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * How much is asked (contract §3): everything; what nothing covers; nothing, and what nothing covers is
 * denied.
 */
export const PROFILES = ["ask_everything", "everyday", "hands_off"] as const;
export type Profile = (typeof PROFILES)[number];

/** Milliseconds. The person may lengthen the countdown, never shorten or remove it (contract §3). */
export const CONSENT_TIMEOUT = {
  minimum: LIMITS.consentTimeoutMs,
  maximum: LIMITS.consentTimeoutCapMs,
  default: LIMITS.consentTimeoutMs,
} as const;

/** How the pages look. */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/**
 * All the person's settings with their ranges and defaults. Bridge, store and form take them from
 * here.
 */
export const Settings = Type.Object(
  {
    /** Null follows the system. */
    language: Type.Union([Type.Enum(LANGUAGES), Type.Null()], { default: null }),
    theme: Type.Enum(THEMES, { default: "system" }),
    consent_timeout_ms: Type.Integer(CONSENT_TIMEOUT),
    profile: Type.Enum(PROFILES, { default: "everyday" }),
    /** Whether notifications of the system or the browser are shown. */
    notifications: Type.Boolean({ default: true }),
    /** Whether what calls were about is kept for the log, sealed under the host key. */
    log_targets: Type.Boolean({ default: true }),
    /** Whether what files hold is kept before agents change them, sealed under the host key. */
    keep_files: Type.Boolean({ default: true }),
    /** Null: none. For the desktop host. */
    shortcut: Type.Union([Type.Enum(SHORTCUTS), Type.Null()], { default: null }),
    /** Whether the program updates itself, where it can. */
    updates: Type.Boolean({ default: true }),
    update_channel: Type.Enum(UPDATE_CHANNELS, { default: "stable" }),
  },
  { additionalProperties: false },
);
export type Settings = Readonly<Static<typeof Settings>>;
