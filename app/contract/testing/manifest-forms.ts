import { checkManifest } from "../check-manifest.ts";
import type { JsonObject, JsonValue } from "../json.ts";

export const tool = (over: Record<string, JsonValue | undefined> = {}): JsonObject =>
  without({
    name: "read_file",
    description_i18n_key: "tool.read",
    input_schema: { type: "object", additionalProperties: false },
    permission_scope: "filesystem:read",
    ...over,
  });

export const scope = (over: Record<string, JsonValue | undefined> = {}): JsonObject =>
  without({
    id: "filesystem:read",
    label_i18n_key: "scope.fs",
    sensitivity: "medium",
    ...over,
  });

export const manifest = (over: Record<string, JsonValue | undefined> = {}): JsonObject =>
  without({
    schema_version: "1.0",
    agent_version: "1.2.3",
    tools: [tool()],
    permission_scopes: [scope()],
    ...over,
  });

/** Drops the members that are `undefined`: a way to write "without this one". */
export const without = (members: Record<string, JsonValue | undefined>): JsonObject =>
  Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );

export type Remark = readonly [pointer: string, code: string, detail?: string];

export const listed = (
  remarks: readonly { pointer: string; code: string; detail?: string }[],
): Remark[] =>
  remarks.map(({ pointer, code, detail }) =>
    detail === undefined ? [pointer, code] : [pointer, code, detail],
  );

export function problemsOf(value: JsonValue): Remark[] {
  const verdict = checkManifest(value, 1_000);
  return verdict.ok ? [] : listed(verdict.problems);
}

export const warningsOf = (value: JsonValue, bytes = 1_000): Remark[] =>
  listed(checkManifest(value, bytes).warnings);

export const withTool = (over: Record<string, JsonValue | undefined>): JsonObject =>
  manifest({ tools: [tool(over)] });
export const withScope = (over: Record<string, JsonValue | undefined>): JsonObject =>
  manifest({ permission_scopes: [scope(over)] });

export const TOOL = "/tools/0";
export const SCOPE = "/permission_scopes/0";
