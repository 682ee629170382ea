import { createI18n, type LocaleName, localeFor, type Translate } from "../../../i18n/index.ts";

/**
 * The program's texts outside pages.
 * @param chosen the person's setting; null follows the system
 * @param system its languages, best first; absent: the one that this process runs in
 */
export const systemTexts = (chosen: LocaleName | null, system?: readonly string[]): Translate =>
  createI18n(chosen ?? localeFor(system ?? [ownLanguage()])).t;

const ownLanguage = (): string => new Intl.DateTimeFormat().resolvedOptions().locale;
