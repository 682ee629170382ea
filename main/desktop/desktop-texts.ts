import { createI18n, type LocaleName, localeFor, type Translate } from "../../i18n/index.ts";

/**
 * The desktop's own texts, outside any page.
 * @param chosen the person's setting; null follows the system's languages, best first
 */
export const desktopTexts = (chosen: LocaleName | null, system: readonly string[]): Translate =>
  createI18n(chosen ?? localeFor(system)).t;
