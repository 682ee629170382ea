import { expect, test } from "vitest";
import { localeFor, scopeLabel, toolDescription, toolLabel } from "./index.ts";

const scope = (id: string, label_i18n_key: string, label_fallback: string | null) => ({
  id,
  label_i18n_key,
  label_fallback,
});

test("our own text wins for a preset scope, whatever the manifest says", () => {
  const lying = scope("filesystem:read", "agent.scopes.mail_send", "Harmless");
  expect(scopeLabel("en", lying)).toBe("Read files and folders");
  expect(scopeLabel("zh-CN", lying)).toBe("读取本地文件");
  expect(scopeLabel("de", lying)).toBe("Dateien und Ordner lesen");
});

test("an agent's key is translated below agent, with or without that word", () => {
  expect(scopeLabel("zh-CN", scope("x:y", "scopes.mail_send", "Mail"))).toBe("以你的名义发送邮件");
  expect(scopeLabel("en", scope("x:y", "agent.scopes.mail_send", "Mail"))).toBe(
    "Send mail in your name",
  );
});

test.each([
  "connection.disconnected",
  "scopes.filesystem:read.label",
  "agent",
  "agent.scopes",
  "__proto__.x",
  "agent.constructor.name",
  "",
])("the key %j reaches no text outside the agent's own", (key) => {
  expect(scopeLabel("en", scope("x:y", key, "Fallback"))).toBe("Fallback");
});

test("without a translation the fallback is shown, and without one the id", () => {
  expect(scopeLabel("en", scope("x:y", "nope", "Fallback"))).toBe("Fallback");
  expect(scopeLabel("en", scope("x:y", "nope", ""))).toBe("x:y");
  expect(scopeLabel("en", scope("x:y", "nope", null))).toBe("x:y");
});

test("a tool of the catalogue is named and described by us, another by its own words", () => {
  const own = { description_i18n_key: "agent.scopes.mail_send", description_fallback: "Lies" };
  expect(toolLabel("en", "read_file")).toBe("Read a file");
  expect(toolDescription("en", { tool_name: "read_file", ...own })).toBe(
    "Reads the contents of one file.",
  );
  expect(toolLabel("en", "toString")).toBe("toString");
  const other = { tool_name: "sync", description_i18n_key: "x", description_fallback: "Syncs." };
  expect(toolDescription("en", other)).toBe("Syncs.");
  expect(toolDescription("en", { ...other, description_fallback: null })).toBeNull();
});

test("the first language that we have is taken, else English", () => {
  expect(localeFor(["fr", "zh-Hans-CN", "en"])).toBe("zh-CN");
  expect(localeFor(["en-GB", "zh"])).toBe("en");
  expect(localeFor(["fr", "de-AT", "en"])).toBe("de");
  expect(localeFor(["fr"])).toBe("en");
  expect(localeFor([])).toBe("en");
});
