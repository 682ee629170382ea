import { expect, test } from "vitest";
import { LANGUAGES } from "../app/contract/settings.ts";
import { ownLanguages } from "./own-languages.ts";

const { load } = ownLanguages();
const loaded = (language: string): unknown => {
  const file = `/x/node_modules/react-aria/dist/private/intl/menu/${language}.mjs`;
  return typeof load === "function" ? Reflect.apply(load, {}, [file]) : undefined;
};

test("the component library keeps its words in each language of the pages, and in no other", () => {
  const names = { en: "en-US", de: "de-DE", "zh-CN": "zh-CN" } as const;
  for (const language of LANGUAGES) expect(loaded(names[language])).toBeNull();
  for (const language of ["fr-FR", "zh-TW", "sr-SP"]) {
    expect(loaded(language)).toBe("export default {};");
  }
});
