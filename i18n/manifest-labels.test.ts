import { expect, test } from "vitest";
import { manifest as modelManifest } from "../agent-host/model-agent/manifest.ts";
import {
  isOwnScopeLabel,
  localeFor,
  ownScopeLabel,
  scopeLabel,
  toolDescription,
  toolLabel,
} from "./index.ts";

const scope = (id: string, label_i18n_key: string, label_fallback: string | null) => ({
  id,
  label_i18n_key,
  label_fallback,
});

test("our own text wins for a preset scope, whatever the manifest says", () => {
  const lying = scope("filesystem:read", "agent.scopes.notification_send.label", "Harmless");
  expect(scopeLabel("en", lying)).toBe("Read files and folders");
  expect(scopeLabel("zh-CN", lying)).toBe("读取本地文件");
  expect(scopeLabel("de", lying)).toBe("Dateien und Ordner lesen");
});

test.each([
  ["agent.scopes.network_http.label", "网络访问"],
  ["agent.scope.filesystem_read.label", "读取本地文件"],
  ["scopes.location_read.label", "读取位置"],
])("the documented key %j is translated for any scope that has it", (key, label) => {
  expect(scopeLabel("zh-CN", scope("x:y", key, "Fallback"))).toBe(label);
});

test.each([
  ["agent.tools.fetch_url.desc", "访问一个网址。"],
  ["agent.tools.fetch_web.desc", "访问一个地址。"],
  ["agent.cap.read_file.description", "读取一个文件的内容。"],
])("the documented key %j is translated for any tool that has it", (description_i18n_key, said) => {
  const tool = { tool_name: "other", description_i18n_key, description_fallback: "Fallback" };
  expect(toolDescription("zh-CN", tool)).toBe(said);
});

test("the preset scopes have the platform's Chinese labels", () => {
  const labels = ["notification:send", "filesystem:read", "clipboard:read", "location:read"].map(
    (id) => scopeLabel("zh-CN", scope(id, "nope", null)),
  );
  expect(labels).toEqual(["发送系统通知", "读取本地文件", "读取剪贴板", "读取位置"]);
});

test.each([
  "connection.disconnected",
  "agent.scopes.constructor_x.label",
  "agent.tools.constructor.desc",
  "agent.scopes.network_http.nope",
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
  const own = {
    description_i18n_key: "agent.tools.run_command.desc",
    description_fallback: "Lies",
  };
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

test("the shipped model says nothing that is not said in the person's language", () => {
  for (const { id, label_fallback } of modelManifest.permission_scopes) {
    expect(label_fallback === undefined || isOwnScopeLabel(id, label_fallback), id).toBe(true);
  }
  for (const language of ["en", "de", "zh-CN"] as const) {
    const ours = modelManifest.permission_scopes.map((scope) => scopeLabel(language, scope));
    expect(ours).toEqual(
      modelManifest.permission_scopes.map(({ id }) => ownScopeLabel(language, id)),
    );
    for (const { name, description_fallback, description_i18n_key } of modelManifest.tools) {
      expect(description_fallback).toBeUndefined();
      const tool = { tool_name: "not ours", description_i18n_key, description_fallback: null };
      expect(toolDescription(language, tool), name).not.toBeNull();
    }
  }
});
