import type { LocaleName } from "../../i18n/index.ts";

/** What stands after a sentence's end or its colon: Chinese punctuation has its own room. */
export const sentenceGap = (language: LocaleName): string => (language === "zh-CN" ? "" : " ");
