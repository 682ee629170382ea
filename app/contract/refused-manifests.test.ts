import { describe, expect, it } from "vitest";
import { checkManifest } from "./check-manifest.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import {
  listed,
  manifest,
  problemsOf,
  type Remark,
  SCOPE,
  scope,
  TOOL,
  tool,
  withScope,
  withTool,
} from "./testing/manifest-forms.ts";

describe("what is refused, each with its pointer", () => {
  it.each<[string, JsonValue, Remark]>([
    ["a list", [], ["", "not_an_object"]],
    [
      "no schema_version",
      manifest({ schema_version: undefined }),
      ["/schema_version", "schema_version_unsupported"],
    ],
    [
      "schema_version 1.1",
      manifest({ schema_version: "1.1" }),
      ["/schema_version", "schema_version_unsupported"],
    ],
    [
      "schema_version as a number",
      manifest({ schema_version: 1 }),
      ["/schema_version", "schema_version_unsupported"],
    ],
    ["no tools", manifest({ tools: undefined }), ["/tools", "tools_not_a_list"]],
    ["tools as an object", manifest({ tools: {} }), ["/tools", "tools_not_a_list"]],
    ["a tool that is a text", manifest({ tools: ["x"] }), [TOOL, "not_an_object"]],
    [
      "a tool without a description",
      withTool({ description_i18n_key: undefined }),
      [`${TOOL}/description_i18n_key`, "text_missing"],
    ],
    [
      "an empty description",
      withTool({ description_i18n_key: "" }),
      [`${TOOL}/description_i18n_key`, "text_missing"],
    ],
    [
      "a fallback that is no text",
      withTool({ description_fallback: 1 }),
      [`${TOOL}/description_fallback`, "text_missing"],
    ],
    [
      "a scope nobody declared",
      withTool({ permission_scope: "x:y" }),
      [`${TOOL}/permission_scope`, "scope_without_entry"],
    ],
    [
      "no permission_scope",
      withTool({ permission_scope: undefined }),
      [`${TOOL}/permission_scope`, "scope_without_entry"],
    ],
    [
      "a scope under Object's own name",
      withTool({ permission_scope: "constructor" }),
      [`${TOOL}/permission_scope`, "scope_without_entry"],
    ],
    ["timeout_ms 0", withTool({ timeout_ms: 0 }), [`${TOOL}/timeout_ms`, "timeout_invalid"]],
    ["timeout_ms 1.5", withTool({ timeout_ms: 1.5 }), [`${TOOL}/timeout_ms`, "timeout_invalid"]],
    [
      "timeout_ms as a text",
      withTool({ timeout_ms: "9" }),
      [`${TOOL}/timeout_ms`, "timeout_invalid"],
    ],
    ["required as a text", withTool({ required: "yes" }), [`${TOOL}/required`, "required_invalid"]],
    [
      "no input_schema",
      withTool({ input_schema: undefined }),
      [`${TOOL}/input_schema`, "input_schema_not_object"],
    ],
    [
      "input_schema true",
      withTool({ input_schema: true }),
      [`${TOOL}/input_schema`, "input_schema_not_object"],
    ],
    [
      "a root that is a list",
      withTool({ input_schema: { type: "array" } }),
      [`${TOOL}/input_schema`, "input_schema_not_object"],
    ],
    [
      "a root that may be something else",
      withTool({ input_schema: { type: ["object", "null"] } }),
      [`${TOOL}/input_schema`, "input_schema_not_object"],
    ],
    [
      "no scopes",
      manifest({ tools: [], permission_scopes: undefined }),
      ["/permission_scopes", "scopes_not_a_list"],
    ],
    [
      "a scope that is null",
      manifest({ tools: [], permission_scopes: [null] }),
      [SCOPE, "not_an_object"],
    ],
    [
      "a sensitivity nobody knows",
      withScope({ sensitivity: "none" }),
      [`${SCOPE}/sensitivity`, "sensitivity_unknown"],
    ],
    [
      "no sensitivity",
      withScope({ sensitivity: undefined }),
      [`${SCOPE}/sensitivity`, "sensitivity_unknown"],
    ],
    [
      "a scope without a label key",
      withScope({ label_i18n_key: undefined }),
      [`${SCOPE}/label_i18n_key`, "text_missing"],
    ],
    [
      "a description that is no text",
      withScope({ description_fallback: [] }),
      [`${SCOPE}/description_fallback`, "text_missing"],
    ],
    [
      "flags that are a list",
      manifest({ capability_flags: [] }),
      ["/capability_flags", "capability_flags_invalid"],
    ],
    [
      "a flag that is no boolean",
      manifest({ capability_flags: { supports_streaming: 1 } }),
      ["/capability_flags/supports_streaming", "capability_flags_invalid"],
    ],
  ])("%s", (_name, value, expected) => {
    expect(problemsOf(value)).toEqual([expected]);
  });

  it.each([
    "1",
    "1.2",
    "v1.2.3",
    "01.2.3",
    "1.2.3-",
    "1.2.3-01",
    "1.2.3+",
    "1.2.3 ",
    "",
    `1.2.3-${"a".repeat(256)}`,
  ])("the agent_version %j is not SemVer", (version) => {
    expect(problemsOf(manifest({ agent_version: version }))).toEqual([
      ["/agent_version", "agent_version_not_semver"],
    ]);
  });

  it.each(["0.0.0", "1.2.3-alpha.1", "1.0.0-0a", "10.20.30+build.7", "1.0.0-x-y-z.--"])(
    "the agent_version %j is SemVer",
    (version) => {
      expect(problemsOf(manifest({ agent_version: version }))).toEqual([]);
    },
  );

  it.each([
    "",
    "a",
    "A_b",
    "1ab",
    "_ab",
    "read-file",
    "read file",
    `a${"b".repeat(32)}`,
    "read_file\n",
    "é_a",
  ])("the tool name %j has not the form ^[a-z][a-z0-9_]{1,31}$", (name) => {
    expect(problemsOf(withTool({ name }))).toEqual([[`${TOOL}/name`, "tool_name_invalid"]]);
  });

  it.each(["ab", "a1", "a_", `a${"b".repeat(31)}`])("the tool name %j has that form", (name) => {
    expect(problemsOf(withTool({ name }))).toEqual([]);
  });

  it("a tool name and a scope id that are repeated", () => {
    expect(problemsOf(manifest({ tools: [tool(), tool()] }))).toEqual([
      ["/tools/1/name", "tool_name_repeated", "read_file"],
    ]);
    expect(problemsOf(manifest({ permission_scopes: [scope(), scope()] }))).toEqual([
      ["/permission_scopes/1/id", "scope_id_repeated", "filesystem:read"],
    ]);
  });

  it.each(["hashee:x", "system:x", "SYSTEM:x"])("the reserved scope id %s", (id) => {
    const value = manifest({ tools: [], permission_scopes: [scope({ id, label_fallback: "X" })] });
    expect(problemsOf(value)).toEqual([[`${SCOPE}/id`, "scope_id_reserved", id]]);
  });

  it.each<[JsonValue | undefined]>([[undefined], [""], [7], ["x".repeat(129)]])(
    "the scope id %j",
    (id) => {
      const value = manifest({
        tools: [],
        permission_scopes: [scope({ id, label_fallback: "X" })],
      });
      expect(problemsOf(value)).toEqual([[`${SCOPE}/id`, "scope_id_invalid"]]);
    },
  );

  it("a scope of the agent's own without label_fallback; a preset scope needs none", () => {
    const own = (label: JsonValue | undefined): JsonObject =>
      manifest({
        tools: [],
        permission_scopes: [scope({ id: "crm:read", label_fallback: label })],
      });
    expect(problemsOf(own(undefined))).toEqual([
      [`${SCOPE}/label_fallback`, "label_fallback_missing"],
    ]);
    expect(problemsOf(own(""))).toEqual([[`${SCOPE}/label_fallback`, "label_fallback_missing"]]);
    expect(problemsOf(own("CRM"))).toEqual([]);
    expect(problemsOf(withScope({ label_fallback: undefined }))).toEqual([]);
  });

  it.each<[string, JsonObject, string, string]>([
    [
      "a remote $ref",
      { properties: { a: { $ref: "https://x.example/s" } } },
      "/properties/a/$ref",
      "reference_not_local",
    ],
    [
      "another $schema",
      { $schema: "http://json-schema.org/draft-07/schema#" },
      "/$schema",
      "dialect_unsupported",
    ],
    ["$vocabulary", { $vocabulary: {} }, "/$vocabulary", "vocabulary_unsupported"],
    [
      "a keyword that Ajv decides wrongly",
      { allOf: [{ unevaluatedProperties: false }] },
      "/allOf/0/unevaluatedProperties",
      "keyword_unsupported",
    ],
    [
      "a keyword of the wrong shape",
      { properties: { "a/b": { minLength: -1 } } },
      "/properties/a~1b/minLength",
      "keyword_malformed",
    ],
  ])("an input_schema with %s", (_name, members, pointer, code) => {
    const input_schema = { type: "object", additionalProperties: false, ...members };
    expect(problemsOf(withTool({ input_schema }))).toEqual([
      [`${TOOL}/input_schema${pointer}`, "input_schema_outside_profile", code],
    ]);
  });

  it("everything at once, and the warnings with it", () => {
    const verdict = checkManifest(
      manifest({
        schema_version: "2.0",
        agent_version: "x",
        tools: [tool({ name: "X", permission_scope: "no" }), 1, tool({ input_schema: {} })],
        permission_scopes: [scope({ sensitivity: "?" }), scope({ sensitivity: "low" })],
        capability_flags: 1,
      }),
      70_000,
    );
    expect(verdict.ok).toBe(false);
    expect(verdict.ok ? [] : listed(verdict.problems)).toEqual([
      ["/schema_version", "schema_version_unsupported"],
      ["/agent_version", "agent_version_not_semver"],
      ["/permission_scopes/0/sensitivity", "sensitivity_unknown"],
      ["/permission_scopes/1/id", "scope_id_repeated", "filesystem:read"],
      ["/tools/0/name", "tool_name_invalid"],
      ["/tools/0/permission_scope", "scope_without_entry"],
      ["/tools/1", "not_an_object"],
      ["/tools/2/input_schema", "input_schema_not_object"],
      ["/capability_flags", "capability_flags_invalid"],
    ]);
    expect(listed(verdict.warnings)).toEqual([
      ["", "manifest_large"],
      ["/permission_scopes/1/sensitivity", "preset_sensitivity_lowered", "medium"],
    ]);
  });
});
