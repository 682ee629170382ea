import { createInstance, type i18n, type ParseKeys, type TFunction } from "i18next";
import { LIMITS } from "../app/contract/limits.ts";
import type en from "./en.json";
import { LOCALES, type LocaleName } from "./languages.ts";

export { LANGUAGE_NAMES, LOCALES, type LocaleName, localeFor } from "./languages.ts";
export {
  isOwnScopeLabel,
  ownScopeLabel,
  scopeDescription,
  scopeLabel,
  toolDescription,
  toolLabel,
} from "./manifest-labels.ts";

const KIB = 1_024;
const MINUTE = 60_000;
const HOUR = 3_600_000;
/** Texts name limits and never repeat them: any of them may interpolate these. */
const MIB = 1_048_576;
const NAMED_LIMITS = {
  consent_seconds: LIMITS.consentTimeoutMs / 1000,
  consent_seconds_most: LIMITS.consentTimeoutCapMs / 1000,
  json_depth: LIMITS.jsonDepth,
  kept_days: LIMITS.keptFilesMs / (24 * HOUR),
  kept_mib: LIMITS.keptFileBytes / MIB,
  kept_mib_most: LIMITS.keptFilesBytes / MIB,
  log_days: LIMITS.auditRetentionMs / (24 * HOUR),
  words_chars: LIMITS.personsWordsChars,
  quiet_days: LIMITS.quietLongestMs / (24 * HOUR),
  quiet_hours: LIMITS.quietUnusedMs / HOUR,
  rule_hours: LIMITS.ruleHighMs / HOUR,
  rule_minutes: LIMITS.ruleMinutesMs / MINUTE,
  voice_kib: LIMITS.voiceBytes / KIB,
  voice_minutes: LIMITS.voiceMs / MINUTE,
};

/**
 * A ready translator: the texts are bundled, so nothing is fetched and `t` works at once.
 * Values are not HTML-escaped, because every text ends as text (React, a notification, a menu).
 */
export function createI18n(language: LocaleName): i18n {
  const instance = createInstance();
  void instance.init({
    lng: language,
    fallbackLng: "en",
    supportedLngs: Object.keys(LOCALES),
    resources: Object.fromEntries(
      Object.entries(LOCALES).map(([name, translation]) => [name, { translation }]),
    ),
    // Scope ids are keys and hold colons.
    nsSeparator: false,
    interpolation: { escapeValue: false, defaultVariables: NAMED_LIMITS },
    initAsync: false,
  });
  return instance;
}

/** Makes every key literal and typed: a key that `en.json` lacks does not compile. */
declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: typeof en };
    nsSeparator: false;
    returnNull: false;
    returnObjects: false;
  }
}

/** Every key that `t` takes; plural forms also under their common name. */
export type TextKey = ParseKeys<"translation">;
export type Translate = TFunction<"translation">;
