import type { Plugin } from "vite";

/** A file of the component library with its texts in one language. */
const WORDS =
  /[\\/]react-(?:aria|stately|aria-components)[\\/].*[\\/]intl[\\/].*?([a-z]{2}-[A-Z]{2})\.m?js$/;
/** The languages in i18n/, by the library's names for them. */
const OURS: readonly string[] = ["en-US", "de-DE", "zh-CN"];

/** Leaves out the component library's texts in languages that the pages do not have. */
export const ownLanguages = (): Plugin => ({
  name: "own-languages",
  enforce: "pre",
  load(id) {
    const language = WORDS.exec(id)?.[1];
    return language === undefined || OURS.includes(language) ? null : "export default {};";
  },
});
