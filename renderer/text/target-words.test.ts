import { describe, expect, it, test } from "vitest";
import type { ConsentPreview } from "../../app/contract/consent-preview.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import { callTarget } from "../../app/contract/target/call-target.ts";
import { createI18n, LOCALES, type LocaleName } from "../../i18n/index.ts";
import { targetHeard } from "./target-words.ts";

const PROJ = "/home/ada/proj";

function heard(
  language: LocaleName,
  tool_name: string,
  args: JsonObject,
  preview: ConsentPreview | null = null,
): string {
  const target = callTarget({ tool_name, arguments: args, preview, folders: [PROJ] });
  return targetHeard({ t: createI18n(language).t, language, gap: " " }, target, tool_name);
}

const HUGE: ConsentPreview = {
  kind: "entry",
  entry: "directory",
  size_bytes: null,
  entries: 1204,
  overwrites: false,
};

const move = { from: `${PROJ}/a`, to: `${PROJ}/b` };

describe("a target is a sentence in each language's own order", () => {
  it.each([
    ["en", "Move proj/a to proj/b"],
    ["de", "proj/a nach proj/b verschieben"],
    ["zh-CN", "将 proj/a 移动到 proj/b"],
  ] as const)("%s", (language, sentence) => {
    expect(heard(language, "move_file", move)).toBe(sentence);
  });
});

test("numbers are written as the language writes them, and counted in its plural", () => {
  expect(heard("en", "delete_file", { path: PROJ }, HUGE)).toBe("Delete folder proj · 1,204 items");
  expect(heard("de", "delete_file", { path: PROJ }, { ...HUGE, entries: 1 })).toBe(
    "Ordner proj löschen · 1 Eintrag",
  );
});

test("what an agent wrote is never read as a text of ours", () => {
  for (const language of Object.keys(LOCALES) as LocaleName[]) {
    const text = "$t(home.title) {{count}} \u202e";
    expect(heard(language, "write_clipboard", { text })).toContain(
      "$t(home.title) {{count}} \\u{202e}",
    );
    expect(heard(language, "book_flight", {})).toBe("book_flight");
  }
});
