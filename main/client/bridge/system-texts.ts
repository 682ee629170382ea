import { createI18n, type LocaleName, localeFor, type Translate } from "../../../i18n/index.ts";

/**
 * The program's texts outside pages.
 * @param chosen the person's setting; null follows the language this process runs in
 */
export const systemTexts = (chosen: LocaleName | null): Translate =>
  createI18n(chosen ?? localeFor([new Intl.DateTimeFormat().resolvedOptions().locale])).t;
