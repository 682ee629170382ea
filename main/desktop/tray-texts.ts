import { type LocaleName, localeFor } from "../../i18n/languages.ts";
import type { TrayTexts } from "./app-tray.ts";

const TEXTS: Readonly<Record<LocaleName, TrayTexts>> = {
  en: { open: "Open Consentry", quit: "Quit Consentry" },
  "zh-CN": { open: "打开 Consentry", quit: "退出 Consentry" },
};

/** @param chosen the person's setting; null follows the system's languages, best first */
export function trayTexts(chosen: LocaleName | null, system: readonly string[]): TrayTexts {
  return TEXTS[chosen ?? localeFor(system)];
}
