import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { BRIDGE_ERRORS } from "../app/bridge/client-bridge.ts";
import { CARD_STATUSES } from "../app/bridge/conversation-views.ts";
import { AGENT_CATALOGUE } from "../app/contract/agent-catalogue.ts";
import { CATALOGUE, ownToolName } from "../app/contract/catalogue.ts";
import { DENIED_REASONS, ERROR_CODES, ERROR_REASONS } from "../app/contract/codes.ts";
import { LIMITS } from "../app/contract/limits.ts";
import { MANIFEST_PROBLEMS, MANIFEST_WARNINGS } from "../app/contract/manifest-remarks.ts";
import { PRESET_SCOPES, SENSITIVITIES } from "../app/contract/scopes.ts";
import { LANGUAGES } from "../app/contract/settings.ts";
import { DECIDED_BY, TAKE_BACK } from "../app/contract/tool-call.ts";
import { nameList, timeLeft } from "../renderer/text/format.ts";
import { createI18n, LOCALES, type LocaleName } from "./index.ts";

const NAMES = Object.keys(LOCALES) as LocaleName[];
const PLURAL = /_(zero|one|two|few|many|other)$/;

function flat(table: object, prefix = ""): [string, string][] {
  return Object.entries(table).flatMap(([key, value]): [string, string][] =>
    typeof value === "string" ? [[prefix + key, value]] : flat(value, `${prefix}${key}.`),
  );
}
const keysOf = (name: LocaleName) => flat(LOCALES[name]).map(([key]) => key);
const stems = (name: LocaleName) => new Set(keysOf(name).map((key) => key.replace(PLURAL, "")));
const names = (text: string) =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map((each) => each[1] ?? "").toSorted();

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) ? [readFileSync(path, "utf8")] : [];
  });
}
const code = ["../renderer", "../main/client/agents", "../main/desktop", "../main/tools"]
  .flatMap((room) => sources(fileURLToPath(new URL(room, import.meta.url))))
  .join("\n");
const english = flat(LOCALES.en);

test("the locales are the languages that the settings offer", () => {
  expect(NAMES.toSorted()).toEqual([...LANGUAGES].toSorted());
});

describe.each(NAMES)("%s", (name) => {
  test("has the same keys as English", () => {
    expect([...stems(name)].toSorted()).toEqual([...stems("en")].toSorted());
  });

  test("has no empty text", () => {
    expect(flat(LOCALES[name]).filter(([, text]) => text.trim() === "")).toEqual([]);
  });

  test("interpolates the same names as English", () => {
    const known = new Map(english.map(([key, text]) => [key.replace(PLURAL, ""), names(text)]));
    for (const [key, text] of flat(LOCALES[name])) {
      const wanted = known.get(key.replace(PLURAL, ""));
      // A translation may leave out a name that its sentence does not need, never invent one.
      expect(wanted, key).toEqual(expect.arrayContaining(names(text)));
    }
  });

  test("has just the plural forms that its language uses", () => {
    const forms = new Intl.PluralRules(name).resolvedOptions().pluralCategories.toSorted();
    const plurals = keysOf(name).filter((key) => PLURAL.test(key));
    for (const stem of new Set(plurals.map((key) => key.replace(PLURAL, "")))) {
      const found = plurals.filter((key) => key.replace(PLURAL, "") === stem);
      expect(found.map((key) => PLURAL.exec(key)?.[1]).toSorted(), stem).toEqual(forms);
    }
  });

  test("labels and describes every preset scope and every scope and tool of the catalogue", () => {
    const scopes: Readonly<Record<string, unknown>> = LOCALES[name].scopes;
    const tools: Readonly<Record<string, unknown>> = LOCALES[name].tools;
    const full = { label: expect.any(String), description: expect.any(String) };
    for (const id of PRESET_SCOPES.keys()) expect(scopes[id], id).toMatchObject(full);
    const all = [...CATALOGUE.values(), ...AGENT_CATALOGUE.values()];
    for (const { name: tool, scope } of all) {
      expect(scopes[scope], scope).toMatchObject(full);
      expect(tools[tool], tool).toEqual(full);
    }
    const known: string[] = [...all.map(({ name: tool }) => tool), TAKE_BACK];
    expect(
      Object.keys(tools).filter((tool) => !known.some((each) => each === ownToolName(tool))),
    ).toEqual([]);
    const inUse = new Set(all.map(({ scope }) => scope));
    expect(Object.keys(scopes).filter((id) => !inUse.has(id))).toEqual([]);
  });

  test("has a word for every code of every table, and for nothing else", () => {
    const texts = LOCALES[name];
    const same = (table: object, words: readonly string[]) =>
      expect(Object.keys(table).toSorted()).toEqual([...new Set(words)].toSorted());
    same(texts.status, CARD_STATUSES);
    same(texts.reason, [...DENIED_REASONS, ...Object.values(ERROR_REASONS).flat()]);
    same(texts.error_code, ERROR_CODES);
    same(texts.decided_by, DECIDED_BY);
    same(texts.bridge_error, BRIDGE_ERRORS);
    same(texts.problem, MANIFEST_PROBLEMS);
    same(texts.warning, MANIFEST_WARNINGS);
    for (const level of SENSITIVITIES) expect(keysOf(name)).toContain(`sensitivity.${level}`);
  });
});

const DAY = 24 * 3_600_000;

describe("numbers", () => {
  /** What is called so whatever the limits are. */
  const NAMES_WITH_DIGITS = /SHA-256|UTF-8|\bL[1-6]\b/g;
  /** Not limits: a preset, ports, what a place is rounded to, an example, an app's version. */
  const NOT_LIMITS = new Set([
    "activity.time_week",
    "permissions.add_host_label",
    "permissions.add_host_help",
    "target.locate",
    "model.base_url_help",
    "keys.password_warning.sequences",
    "apps.note.newer_only",
  ]);
  const literal = (text: string) =>
    /\d/.test(text.replaceAll(/\{\{\w+\}\}/g, "").replaceAll(NAMES_WITH_DIGITS, ""));

  test.each(NAMES)("%s repeats none of the limits", (name) => {
    const found = flat(LOCALES[name]).filter(([, text]) => literal(text));
    expect(found.filter(([key]) => !NOT_LIMITS.has(key))).toEqual([]);
  });

  test.each(NAMES)("%s says the limits as they are", (name) => {
    const { t } = createI18n(name);
    const said = (text: string) => text.match(/\d+/g)?.map(Number);
    const { consentTimeoutMs, consentTimeoutCapMs } = LIMITS;
    expect(said(t("settings.timeout_help"))).toEqual(
      [consentTimeoutMs, consentTimeoutCapMs].map((ms) => ms / 1000),
    );
    const quiet = t("consent.gives.conversation", { what: "" });
    expect(said(quiet)).toEqual([LIMITS.quietUnusedMs / 3_600_000, LIMITS.quietLongestMs / DAY]);
    expect(said(t("activity.log_begins"))).toEqual([LIMITS.auditRetentionMs / DAY]);
  });
});

describe("sentences", () => {
  const bare = (text: string) => text.replaceAll(/\{\{\w+\}\}|“[^”]*”|„[^“]*“/g, "x");

  test("in Chinese have Chinese punctuation", () => {
    const half = /\p{Script=Han}\s*[,;:!?()"]|[,;:!?()"]\s*\p{Script=Han}|\p{Script=Han}\.|\.\.\./u;
    expect(flat(LOCALES["zh-CN"]).filter(([, text]) => half.test(bare(text)))).toEqual([]);
  });

  test.each(NAMES)("in %s have no codes of ours", (name) => {
    const codes = new Set<string>([
      ...BRIDGE_ERRORS,
      ...ERROR_CODES,
      ...DENIED_REASONS,
      ...Object.values(ERROR_REASONS).flat(),
      ...DECIDED_BY,
      ...MANIFEST_PROBLEMS,
    ]);
    const isCode = (word: string) => codes.has(word) && /_/.test(word);
    const found = flat(LOCALES[name]).filter(([, text]) => (text.match(/\w+/g) ?? []).some(isCode));
    expect(found).toEqual([]);
  });

  test("join names and times as their language does", () => {
    expect(createI18n("zh-CN").t("app.bracketed", { text: "阿达", note: "已知" })).toBe(
      "阿达（已知）",
    );
    expect(nameList("zh-CN", ["阿达", "本", "切姆"])).toBe("阿达、本、切姆");
    expect(timeLeft("zh-CN", 83_040_000)).toBe("23小时4分钟");
    expect(timeLeft("en", 83_040_000)).toBe("23 hr 4 min");
  });
});

test("every key that the renderer names is there", () => {
  const used = [...code.matchAll(/\bt\(\s*"([^"]+)"/g)].map((each) => each[1] ?? "");
  expect(used.length).toBeGreaterThan(100);
  expect(used.filter((key) => !stems("en").has(key))).toEqual([]);
});

test("every key is used", () => {
  const templates = [...code.matchAll(/`([a-z_.]+)\$\{[^}]*\}([a-z_.]*)`/g)].map(
    ([, before = "", after = ""]) => new RegExp(`^${before}[^.]+${after}$`),
  );
  // These are read by id (manifest-labels), and the tables they must equal are checked above.
  const byId = /^(?:scopes|tools)\./;
  const isUsed = (key: string) =>
    code.includes(`"${key}"`) || byId.test(key) || templates.some((form) => form.test(key));
  expect(english.map(([key]) => key.replace(PLURAL, "")).filter((key) => !isUsed(key))).toEqual([]);
});

test("a name that looks like an instruction to the translator stays text", () => {
  const { t } = createI18n("en");
  const agent = "$t(nav.home) {{count}} <b>";
  expect(t("consent.deny_all", { agent })).toBe(`Deny all from ${agent}`);
});

test("the language changes live", async () => {
  const i18n = createI18n("en");
  expect(i18n.t("nav.settings")).toBe("Settings");
  await i18n.changeLanguage("zh-CN");
  expect(i18n.t("nav.settings")).toBe("设置");
  await i18n.changeLanguage("de");
  expect(i18n.t("nav.settings")).toBe("Einstellungen");
});
