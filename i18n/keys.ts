import type { ParseKeys, TFunction } from "i18next";
import type en from "./en.json";

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
