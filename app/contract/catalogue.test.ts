import { describe, expect, it } from "vitest";
import { CATALOGUE, catalogueEntry } from "./catalogue.ts";
import { PRESET_SCOPES, SENSITIVITIES } from "./scopes.ts";

/** contract §4, row by row. */
const TABLE = [
  ["filesystem:read", "medium", ["read_file", "list_directory", "search_files", "get_file_info"]],
  [
    "filesystem:write",
    "high",
    ["write_file", "edit_file", "create_directory", "move_file", "delete_file"],
  ],
  ["clipboard:read", "medium", ["read_clipboard"]],
  ["clipboard:write", "medium", ["write_clipboard"]],
  ["notification:send", "low", ["send_notification"]],
  ["network:http", "medium", ["fetch_url", "fetch_web_page"]],
  ["location:read", "high", ["get_location"]],
  ["shell:exec", "high", ["run_command"]],
] as const;

describe("the catalogue", () => {
  it.each(TABLE)("puts the tools of %s there, at least %s", (scope, leastSensitivity, tools) => {
    for (const tool of tools) {
      expect(catalogueEntry(tool)).toMatchObject({ scope, leastSensitivity });
    }
  });

  it("has no tool that the table does not have", () => {
    const tools = TABLE.flatMap(([, , names]) => names.filter((name) => name !== "fetch_web_page"));
    expect([...CATALOGUE.keys()].sort()).toEqual([...tools].sort());
  });

  it("gives an alias its tool's own entry", () => {
    expect(catalogueEntry("fetch_web_page")).toBe(catalogueEntry("fetch_url"));
    expect(catalogueEntry("fetch_web_page")?.name).toBe("fetch_url");
  });

  it("knows nothing under other spellings or under Object's own names", () => {
    for (const name of ["Read_File", "read_file ", "", "__proto__", "constructor", "toString"]) {
      expect(catalogueEntry(name)).toBeUndefined();
    }
  });

  it("asks for a root exactly where folders are touched", () => {
    for (const { scope, needsRoot } of CATALOGUE.values()) {
      expect(needsRoot).toBe(scope === "filesystem:read" || scope === "filesystem:write");
    }
  });

  it("is never laxer than a preset scope", () => {
    for (const { scope, leastSensitivity } of CATALOGUE.values()) {
      const preset = PRESET_SCOPES.get(scope) ?? "low";
      expect(SENSITIVITIES.indexOf(leastSensitivity)).toBeGreaterThanOrEqual(
        SENSITIVITIES.indexOf(preset),
      );
    }
  });
});
