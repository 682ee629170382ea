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

type Members = Record<string, JsonValue | undefined>;
const VERSION = ["/schema_version", "schema_version_unsupported"] as const;
const SCOPES = ["/permission_scopes", "scopes_not_a_list"] as const;
const FLAGS = "capability_flags_invalid";

describe("what is refused, each with its pointer", () => {
  it.each<[string, Members, string]>([
    ["without a description", { description_i18n_key: undefined }, "text_missing"],
    ["with an empty description", { description_i18n_key: "" }, "text_missing"],
    ["with a fallback that is no text", { description_fallback: 1 }, "text_missing"],
    ["with a description for models that is no text", { description: 1 }, "text_missing"],
    ["of a scope nobody declared", { permission_scope: "x:y" }, "scope_without_entry"],
    ["without a scope", { permission_scope: undefined }, "scope_without_entry"],
    ["of a scope of Object's own name", { permission_scope: "constructor" }, "scope_without_entry"],
    ["with timeout_ms 0", { timeout_ms: 0 }, "timeout_invalid"],
    ["with timeout_ms 1.5", { timeout_ms: 1.5 }, "timeout_invalid"],
    ["with timeout_ms as a text", { timeout_ms: "9" }, "timeout_invalid"],
    ["with required as a text", { required: "yes" }, "required_invalid"],
    ["without an input_schema", { input_schema: undefined }, "input_schema_not_object"],
    ["with input_schema true", { input_schema: true }, "input_schema_not_object"],
    ["that takes a list", { input_schema: { type: "array" } }, "input_schema_not_object"],
    [
      "that takes something else too",
      { input_schema: { type: ["object", "null"] } },
      "input_schema_not_object",
    ],
  ])("a tool %s", (_what, over, code) => {
    expect(problemsOf(withTool(over))).toEqual([[`${TOOL}/${Object.keys(over)[0]}`, code]]);
  });

  it.each<[string, Members, string]>([
    ["of a sensitivity nobody knows", { sensitivity: "none" }, "sensitivity_unknown"],
    ["without a sensitivity", { sensitivity: undefined }, "sensitivity_unknown"],
    ["without a label key", { label_i18n_key: undefined }, "text_missing"],
    ["with a description that is no text", { description_fallback: [] }, "text_missing"],
  ])("a scope %s", (_what, over, code) => {
    expect(problemsOf(withScope(over))).toEqual([[`${SCOPE}/${Object.keys(over)[0]}`, code]]);
  });

  it.each<[string, Members, Remark]>([
    ["without a version", { schema_version: undefined }, VERSION],
    ["of version 1.1", { schema_version: "1.1" }, VERSION],
    ["of a version that is a number", { schema_version: 1 }, VERSION],
    ["without tools", { tools: undefined }, ["/tools", "tools_not_a_list"]],
    ["with an object of tools", { tools: {} }, ["/tools", "tools_not_a_list"]],
    ["with a tool that is a text", { tools: ["x"] }, [TOOL, "not_an_object"]],
    ["without scopes", { permission_scopes: undefined, tools: [] }, SCOPES],
    [
      "with a scope that is null",
      { permission_scopes: [null], tools: [] },
      [SCOPE, "not_an_object"],
    ],
    ["with a list of flags", { capability_flags: [] }, ["/capability_flags", FLAGS]],
    [
      "with a flag that is no boolean",
      { capability_flags: { supports_streaming: 1 } },
      ["/capability_flags/supports_streaming", FLAGS],
    ],
  ])("a manifest %s", (_what, over, expected) => {
    expect(problemsOf(manifest(over))).toEqual([expected]);
  });

  it("a list", () => expect(problemsOf([])).toEqual([["", "not_an_object"]]));

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

  it.each<[JsonObject, string, string]>([
    [{ not: { $ref: "https://x.example/s" } }, "/not/$ref", "reference_not_local"],
    [{ $schema: "http://json-schema.org/draft-07/schema#" }, "/$schema", "dialect_unsupported"],
    [{ $vocabulary: {} }, "/$vocabulary", "vocabulary_unsupported"],
    [{ not: { unevaluatedItems: false } }, "/not/unevaluatedItems", "keyword_unsupported"],
    [
      { properties: { "a/b": { minLength: -1 } } },
      "/properties/a~1b/minLength",
      "keyword_malformed",
    ],
  ])("an input_schema with %j", (members, pointer, code) => {
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
