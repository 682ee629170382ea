import de from "./de.json" with { type: "json" };
import en from "./en.json" with { type: "json" };
import zhCN from "./zh-CN.json" with { type: "json" };

/** The locale files, by BCP 47 tag. English is the one every other is measured by. */
export const LOCALES = { en, de, "zh-CN": zhCN } as const;
export type LocaleName = keyof typeof LOCALES;

/** Each language's own name for itself. */
export const LANGUAGE_NAMES: Readonly<Record<LocaleName, string>> = {
  en: "English",
  de: "Deutsch",
  "zh-CN": "简体中文",
};

/**
 * The locale for a person's language tags, best first (`navigator.languages`, or the system's).
 * Traditional Chinese readers are given Simplified Chinese before English.
 */
export function localeFor(tags: readonly string[]): LocaleName {
  for (const tag of tags) {
    const primary = tag.toLowerCase().split(/[-_]/)[0];
    if (primary === "en" || primary === "de") return primary;
    if (primary === "zh") return "zh-CN";
  }
  return "en";
}
