import type { Plugin } from "vite";

/** A file of the component library that holds its own words in one language. */
const WORDS =
  /[\\/]react-(?:aria|stately|aria-components)[\\/].*[\\/]intl[\\/].*?([a-z]{2}-[A-Z]{2})\.m?js$/;
/** Those of the languages in i18n/, by the library's names for them. */
const OURS: readonly string[] = ["en-US", "de-DE", "zh-CN"];

/** Leaves out what the component library would say in the thirty languages that the pages do not speak. */
export const ownLanguages = (): Plugin => ({
  name: "own-languages",
  enforce: "pre",
  load(id) {
    const language = WORDS.exec(id)?.[1];
    return language === undefined || OURS.includes(language) ? null : "export default {};";
  },
});
