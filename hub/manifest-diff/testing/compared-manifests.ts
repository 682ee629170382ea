import { expect } from "vitest";
import type { JsonObject } from "../../../app/contract/json.ts";
import type { Manifest } from "../../../app/contract/manifest.ts";
import { breakingChanges as foundChanges } from "../breaking-changes.ts";

/** Every one is breaking, and says so; what is looked at here is the rest. */
export const breakingChanges = (before: Manifest, after: Manifest) =>
  foundChanges(before, after).map(({ breaking, ...change }) => {
    expect(breaking).toBe(true);
    return change;
  });

export const scope = (id: string, sensitivity: "low" | "medium" | "high") => ({
  id,
  label_i18n_key: id,
  sensitivity,
});
export const SCOPES = [scope("a", "low"), scope("b", "medium"), scope("c", "medium")];

export function manifest(
  input_schema: JsonObject,
  permission_scope = "b",
  permission_scopes = SCOPES,
): Manifest {
  return {
    schema_version: "1.0",
    agent_version: "1.0.0",
    tools: [{ name: "tool", description_i18n_key: "d", input_schema, permission_scope }],
    permission_scopes,
  };
}
