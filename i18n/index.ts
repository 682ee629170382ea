import { createInstance, type i18n } from "i18next";
import { LOCALES, type LocaleName } from "./languages.ts";

export type { TextKey, Translate } from "./keys.ts";
export { LANGUAGE_NAMES, LOCALES, type LocaleName, localeFor } from "./languages.ts";
export {
  type ScopeText,
  scopeDescription,
  scopeLabel,
  type ToolText,
  toolDescription,
  toolLabel,
} from "./manifest-labels.ts";

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
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  return instance;
}
