import { catalogueEntry } from "./catalogue.ts";
import { digestOf } from "./digest.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "./json.ts";
import { schemaProfileProblems } from "./json-schema/schema-profile.ts";
import { LIMITS } from "./limits.ts";
import type { Manifest } from "./manifest.ts";
import { isReservedScope, PRESET_SCOPES } from "./scopes.ts";
import { isSensitivity, SENSITIVITIES } from "./sensitivity.ts";
import { parseStrictJson, StrictJsonError } from "./strict-json.ts";

export const MANIFEST_PROBLEMS = [
  "MANIFEST_TOO_LARGE",
  "not_strict_json",
  "not_an_object",
  "schema_version_unsupported",
  "agent_version_not_semver",
  "tools_not_a_list",
  "tool_name_invalid",
  "tool_name_repeated",
  "text_missing",
  "input_schema_not_object",
  "input_schema_outside_profile",
  "input_schema_invalid",
  "scope_without_entry",
  "timeout_invalid",
  "required_invalid",
  "scopes_not_a_list",
  "scope_id_invalid",
  "scope_id_repeated",
  "scope_id_reserved",
  "sensitivity_unknown",
  "label_fallback_missing",
  "capability_flags_invalid",
] as const;
export const MANIFEST_WARNINGS = [
  "manifest_large",
  "additional_properties_open",
  "preset_sensitivity_lowered",
  "tool_not_in_catalogue",
] as const;

/** `pointer` is an RFC 6901 JSON Pointer into the manifest. */
export interface ManifestRemark<Code extends string> {
  readonly pointer: string;
  readonly code: Code;
  /** A word of the offending value's own (an id, a keyword), never free text. */
  readonly detail?: string;
}
export type ManifestProblem = ManifestRemark<(typeof MANIFEST_PROBLEMS)[number]>;
export type ManifestWarning = ManifestRemark<(typeof MANIFEST_WARNINGS)[number]>;

export type ManifestVerdict =
  | {
      readonly ok: true;
      readonly manifest: Manifest;
      /** Lowercase hex SHA-256 of the RFC 8785 form. */
      readonly hash: string;
      readonly warnings: readonly ManifestWarning[];
    }
  | {
      readonly ok: false;
      readonly problems: readonly ManifestProblem[];
      readonly warnings: readonly ManifestWarning[];
    };

const TOOL_NAME = /^[a-z][a-z0-9_]{1,31}$/;
/** semver.org's own expression. */
const SEMVER =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/;
const SCOPE_ID_MAX_CHARS = 128;
const FLAGS = [
  "supports_streaming",
  "supports_artifacts",
  "supports_voice",
  "supports_group_chat",
] as const;

class Remarks {
  readonly problems: ManifestProblem[] = [];
  readonly warnings: ManifestWarning[] = [];

  refuse(pointer: string, code: ManifestProblem["code"], detail?: string): void {
    this.problems.push({ pointer, code, ...(detail === undefined ? {} : { detail }) });
  }

  warn(pointer: string, code: ManifestWarning["code"], detail?: string): void {
    this.warnings.push({ pointer, code, ...(detail === undefined ? {} : { detail }) });
  }
}

/**
 * Reads a manifest as sent and lists everything wrong with it (contract §5). What needs a bounded
 * worker — whether each `input_schema` compiles — is asked separately (`input_schema_invalid`).
 *
 * @param body the manifest's bytes as sent; over 131,072 it is `MANIFEST_TOO_LARGE`
 */
export function readManifest(body: Uint8Array): ManifestVerdict {
  if (body.byteLength > LIMITS.manifestBytes) {
    return refused({ pointer: "", code: "MANIFEST_TOO_LARGE" });
  }
  try {
    return checkManifest(parseStrictJson(body, LIMITS.manifestBytes), body.byteLength);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return refused({ pointer: "", code: "not_strict_json", detail: error.code });
  }
}

const refused = (problem: ManifestProblem): ManifestVerdict => ({
  ok: false,
  problems: [problem],
  warnings: [],
});

/** The same for a manifest that is already a strict JSON value; `bytes` is its size as sent. */
export function checkManifest(value: JsonValue, bytes: number): ManifestVerdict {
  if (!isJsonObject(value)) return refused({ pointer: "", code: "not_an_object" });
  const remarks = new Remarks();
  if (bytes >= LIMITS.manifestWarnBytes) remarks.warn("", "manifest_large");
  if (ownValue(value, "schema_version") !== "1.0") {
    remarks.refuse("/schema_version", "schema_version_unsupported");
  }
  const version = ownValue(value, "agent_version");
  if (typeof version !== "string" || version.length > 256 || !SEMVER.test(version)) {
    remarks.refuse("/agent_version", "agent_version_not_semver");
  }
  const scopes = checkScopes(ownValue(value, "permission_scopes"), remarks);
  checkTools(ownValue(value, "tools"), scopes, remarks);
  checkFlags(ownValue(value, "capability_flags"), remarks);
  const { problems, warnings } = remarks;
  if (problems.length > 0) return { ok: false, problems, warnings };
  // Every field the type names was checked above; the cast is this file's one conclusion.
  return { ok: true, manifest: value as unknown as Manifest, hash: digestOf(value), warnings };
}

function checkScopes(list: JsonValue | undefined, remarks: Remarks): ReadonlySet<string> {
  const ids = new Set<string>();
  if (!Array.isArray(list)) {
    remarks.refuse("/permission_scopes", "scopes_not_a_list");
    return ids;
  }
  for (const [index, scope] of list.entries()) {
    checkScope(scope, `/permission_scopes/${index}`, ids, remarks);
  }
  return ids;
}

function checkScope(scope: JsonValue, pointer: string, ids: Set<string>, remarks: Remarks): void {
  if (!isJsonObject(scope)) {
    remarks.refuse(pointer, "not_an_object");
    return;
  }
  const id = ownValue(scope, "id");
  if (typeof id !== "string" || id.length === 0 || id.length > SCOPE_ID_MAX_CHARS) {
    remarks.refuse(`${pointer}/id`, "scope_id_invalid");
  } else {
    if (ids.has(id)) remarks.refuse(`${pointer}/id`, "scope_id_repeated", id);
    if (isReservedScope(id)) remarks.refuse(`${pointer}/id`, "scope_id_reserved", id);
    if (!PRESET_SCOPES.has(id)) requireText(scope, "label_fallback", pointer, remarks);
    ids.add(id);
  }
  requireText(scope, "label_i18n_key", pointer, remarks);
  for (const key of ["label_fallback", "description_i18n_key", "description_fallback"]) {
    const text = ownValue(scope, key);
    if (text !== undefined && typeof text !== "string") {
      remarks.refuse(`${pointer}/${key}`, "text_missing");
    }
  }
  checkSensitivity(scope, id, pointer, remarks);
}

function checkSensitivity(
  scope: JsonObject,
  id: JsonValue | undefined,
  pointer: string,
  remarks: Remarks,
): void {
  const sensitivity = ownValue(scope, "sensitivity");
  if (!isSensitivity(sensitivity)) {
    remarks.refuse(`${pointer}/sensitivity`, "sensitivity_unknown");
    return;
  }
  const preset = typeof id === "string" ? PRESET_SCOPES.get(id) : undefined;
  if (preset !== undefined && SENSITIVITIES.indexOf(sensitivity) < SENSITIVITIES.indexOf(preset)) {
    remarks.warn(`${pointer}/sensitivity`, "preset_sensitivity_lowered", preset);
  }
}

function requireText(object: JsonObject, key: string, pointer: string, remarks: Remarks): void {
  const text = ownValue(object, key);
  if (typeof text === "string" && text.length > 0) return;
  remarks.refuse(
    `${pointer}/${key}`,
    key === "label_fallback" ? "label_fallback_missing" : "text_missing",
  );
}

function checkTools(
  list: JsonValue | undefined,
  scopes: ReadonlySet<string>,
  remarks: Remarks,
): void {
  if (!Array.isArray(list)) {
    remarks.refuse("/tools", "tools_not_a_list");
    return;
  }
  const names = new Set<string>();
  for (const [index, tool] of list.entries()) {
    const pointer = `/tools/${index}`;
    if (!isJsonObject(tool)) {
      remarks.refuse(pointer, "not_an_object");
      continue;
    }
    checkToolName(tool, pointer, names, remarks);
    requireText(tool, "description_i18n_key", pointer, remarks);
    checkInputSchema(ownValue(tool, "input_schema"), `${pointer}/input_schema`, remarks);
    const scope = ownValue(tool, "permission_scope");
    if (typeof scope !== "string" || !scopes.has(scope)) {
      remarks.refuse(`${pointer}/permission_scope`, "scope_without_entry");
    }
    checkToolOptions(tool, pointer, remarks);
  }
}

function checkToolName(
  tool: JsonObject,
  pointer: string,
  names: Set<string>,
  remarks: Remarks,
): void {
  const name = ownValue(tool, "name");
  if (typeof name !== "string" || !TOOL_NAME.test(name)) {
    remarks.refuse(`${pointer}/name`, "tool_name_invalid");
    return;
  }
  if (names.has(name)) remarks.refuse(`${pointer}/name`, "tool_name_repeated", name);
  names.add(name);
  if (catalogueEntry(name) === undefined) {
    remarks.warn(`${pointer}/name`, "tool_not_in_catalogue", name);
  }
}

function checkToolOptions(tool: JsonObject, pointer: string, remarks: Remarks): void {
  const timeout = ownValue(tool, "timeout_ms");
  if (timeout !== undefined && !(Number.isSafeInteger(timeout) && Number(timeout) > 0)) {
    remarks.refuse(`${pointer}/timeout_ms`, "timeout_invalid");
  }
  const required = ownValue(tool, "required");
  if (required !== undefined && typeof required !== "boolean") {
    remarks.refuse(`${pointer}/required`, "required_invalid");
  }
  const fallback = ownValue(tool, "description_fallback");
  if (fallback !== undefined && typeof fallback !== "string") {
    remarks.refuse(`${pointer}/description_fallback`, "text_missing");
  }
}

function checkInputSchema(schema: JsonValue | undefined, pointer: string, remarks: Remarks): void {
  if (!isJsonObject(schema) || ownValue(schema, "type") !== "object") {
    remarks.refuse(pointer, "input_schema_not_object");
    return;
  }
  for (const problem of schemaProfileProblems(schema)) {
    remarks.refuse(`${pointer}${problem.pointer}`, "input_schema_outside_profile", problem.code);
  }
  if (ownValue(schema, "additionalProperties") !== false) {
    remarks.warn(`${pointer}/additionalProperties`, "additional_properties_open");
  }
}

function checkFlags(flags: JsonValue | undefined, remarks: Remarks): void {
  if (flags === undefined) return;
  if (!isJsonObject(flags)) {
    remarks.refuse("/capability_flags", "capability_flags_invalid");
    return;
  }
  for (const flag of FLAGS) {
    const value = ownValue(flags, flag);
    if (value !== undefined && typeof value !== "boolean") {
      remarks.refuse(`/capability_flags/${flag}`, "capability_flags_invalid", flag);
    }
  }
}
