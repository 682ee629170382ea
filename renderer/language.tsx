import type { i18n } from "i18next";
import { type ReactNode, useEffect, useState } from "react";
import { I18nProvider } from "react-aria-components";
import { I18nextProvider, useTranslation } from "react-i18next";
import type { Language } from "../app/contract/settings.ts";
import { createI18n, type LocaleName, localeFor, type Translate } from "../i18n/index.ts";

interface LanguageProviderProps {
  /** Null follows the browser, which follows the system. */
  readonly language: Language | null;
  readonly children: ReactNode;
}

export function LanguageProvider({ language, children }: LanguageProviderProps) {
  const wanted = language ?? localeFor(navigator.languages);
  const [texts] = useState<i18n>(() => createI18n(wanted));
  useEffect(() => {
    document.documentElement.lang = wanted;
    if (texts.language !== wanted) void texts.changeLanguage(wanted);
  }, [texts, wanted]);
  return (
    <I18nProvider locale={wanted}>
      <I18nextProvider i18n={texts}>{children}</I18nextProvider>
    </I18nProvider>
  );
}

export interface Texts {
  readonly t: Translate;
  readonly language: LocaleName;
  /** What stands after a sentence's end or its colon: Chinese punctuation has its own room. */
  readonly gap: string;
}

export function useTexts(): Texts {
  const { t, i18n } = useTranslation();
  const language = localeFor([i18n.language]);
  return { t, language, gap: language === "zh-CN" ? "" : " " };
}
