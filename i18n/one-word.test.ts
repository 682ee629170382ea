import { expect, test } from "vitest";
import { LOCALES, type LocaleName } from "./index.ts";

/** Words that mean the same as another one that the language uses already, which follows each. */
const OTHER_WORDS: Readonly<Record<LocaleName, Readonly<Record<string, string>>>> = {
  en: {
    "\\bany more\\b": "no longer",
    "audit (?:log|trail)": "log",
    "\\b(?:each|every) record\\b": "entry",
  },
  "zh-CN": {
    答复: "回答",
    执行: "运行",
    校验: "验证",
    记录: "日志",
    沙盒: "沙箱",
    代理: "智能体",
    撤销: "收回",
  },
  de: {
    genehmig: "erlauben",
    Logbuch: "Protokoll",
    Benachrichtigung: "Mitteilung",
    Kennwort: "Passwort",
    Konversation: "Unterhaltung",
    verifizier: "prüfen",
    "\\bTool\\b": "Werkzeug",
    "[Aa]us(?:ge|zu)?setz": "gesperrt, sperren",
    "\\s…": "…, without a space",
  },
};

const texts = (table: object): readonly string[] =>
  Object.values(table).flatMap((value) => (typeof value === "string" ? [value] : texts(value)));

const NAMES = Object.keys(LOCALES) as LocaleName[];

test.each(NAMES)("%s has one word for one thing", (name) => {
  for (const [other, used] of Object.entries(OTHER_WORDS[name])) {
    const found = texts(LOCALES[name]).filter((text) => new RegExp(other, "u").test(text));
    expect(found, `${other}: say ${used}`).toEqual([]);
  }
});
