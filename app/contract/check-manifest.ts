import type { TObject } from "typebox";
import { catalogueEntry } from "./catalogue.ts";
import { guardOf } from "./checked.ts";
import { digestOf } from "./digest.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "./json.ts";
import { schemaProfileProblems } from "./json-schema/schema-profile.ts";
import { LIMITS } from "./limits.ts";
import {
  CapabilityFlagsSchema,
  type Manifest,
  ManifestSchema,
  ManifestToolSchema,
  OwnScopeSchema,
  PresetScopeSchema,
  problemOf,
} from "./manifest.ts";
import type { ManifestProblem, ManifestProblemCode, ManifestWarning } from "./manifest-remarks.ts";
import {
  isReservedScope,
  isSensitivity,
  PRESET_SCOPES,
  SENSITIVITIES,
  type Sensitivity,
} from "./scopes.ts";
import { parseStrictJson, strictJsonError } from "./strict-json.ts";

export type ManifestVerdict = {
  /** Whatever was sent; null when it is not strict JSON. */
  readonly value: JsonValue;
  readonly warnings: readonly ManifestWarning[];
} & (
  | {
      readonly ok: true;
      readonly manifest: Manifest;
      /** Lowercase hex SHA-256 of the RFC 8785 form. */
      readonly hash: string;
    }
  | { readonly ok: false; readonly problems: readonly ManifestProblem[] }
);

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
 * Reads a manifest as sent and lists everything wrong with it (contract §5). Whether each
 * `input_schema` compiles needs a bounded worker and is checked separately (`input_schema_invalid`).
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
    if (!strictJsonError.is(error)) throw error;
    return refused({ pointer: "", code: "not_strict_json", detail: error.code });
  }
}

const refused = (problem: ManifestProblem, value: JsonValue = null): ManifestVerdict => ({
  ok: false,
  value,
  problems: [problem],
  warnings: [],
});

/** The same for a manifest that is already a strict JSON value; `bytes` is its size as sent. */
export function checkManifest(value: JsonValue, bytes: number): ManifestVerdict {
  if (!isJsonObject(value)) return refused({ pointer: "", code: problemOf(ManifestSchema) }, value);
  const remarks = new Remarks();
  if (bytes >= LIMITS.manifestWarnBytes) remarks.warn("", "manifest_large");
  checkFields(value, HEAD_FIELDS, "", remarks);
  const scopes = checkScopes(ownValue(value, "permission_scopes"), remarks);
  checkTools(ownValue(value, "tools"), scopes, remarks);
  checkFlags(ownValue(value, "capability_flags"), remarks);
  const { problems, warnings } = remarks;
  if (problems.length > 0) return { ok: false, value, problems, warnings };
  // Every field of the type was checked above, which is what justifies the cast.
  const manifest = value as unknown as Manifest;
  return { ok: true, value, manifest, hash: digestOf(value), warnings };
}

interface Field {
  readonly key: string;
  readonly isRequired: boolean;
  readonly problem: ManifestProblemCode;
  readonly fits: (value: unknown) => boolean;
}

const fieldsOf = ({ properties, required }: TObject): readonly Field[] =>
  Object.entries(properties).map(([key, schema]) => ({
    key,
    isRequired: required?.includes(key) === true,
    problem: problemOf(schema),
    fits: guardOf(schema),
  }));

/** Lists and flags are checked one by one, so that each problem has its own pointer. */
const HEAD_FIELDS = fieldsOf(ManifestSchema).filter(({ key }) =>
  ["schema_version", "agent_version"].includes(key),
);
const TOOL_FIELDS = fieldsOf(ManifestToolSchema);
const PRESET_SCOPE_FIELDS = fieldsOf(PresetScopeSchema);
const OWN_SCOPE_FIELDS = fieldsOf(OwnScopeSchema);
const FLAG_FIELDS = fieldsOf(CapabilityFlagsSchema);

/** @returns the keys of the fields that are present and valid */
function checkFields(
  object: JsonObject,
  fields: readonly Field[],
  pointer: string,
  remarks: Remarks,
): ReadonlySet<string> {
  const fitting = new Set<string>();
  for (const { key, isRequired, problem, fits } of fields) {
    const value = ownValue(object, key);
    if (value === undefined ? isRequired : !fits(value)) {
      remarks.refuse(`${pointer}/${key}`, problem);
    } else if (value !== undefined) fitting.add(key);
  }
  return fitting;
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
  const preset = typeof id === "string" ? PRESET_SCOPES.get(id) : undefined;
  const isReserved = typeof id === "string" && isReservedScope(id);
  if (isReserved) remarks.refuse(`${pointer}/id`, "scope_id_reserved", id);
  const fields = preset === undefined ? OWN_SCOPE_FIELDS : PRESET_SCOPE_FIELDS;
  // A reserved id already has a problem of its own.
  const checked = isReserved ? fields.filter(({ key }) => key !== "id") : fields;
  const fitting = checkFields(scope, checked, pointer, remarks);
  if (typeof id === "string" && (isReserved || fitting.has("id"))) {
    if (ids.has(id)) remarks.refuse(`${pointer}/id`, "scope_id_repeated", id);
    ids.add(id);
  }
  const sensitivity = ownValue(scope, "sensitivity");
  if (preset !== undefined && isSensitivity(sensitivity) && isLower(sensitivity, preset)) {
    remarks.warn(`${pointer}/sensitivity`, "preset_sensitivity_lowered", preset);
  }
}

const isLower = (one: Sensitivity, other: Sensitivity): boolean =>
  SENSITIVITIES.indexOf(one) < SENSITIVITIES.indexOf(other);

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
    const fitting = checkFields(tool, TOOL_FIELDS, pointer, remarks);
    if (fitting.has("name")) checkToolName(String(tool.name), pointer, names, remarks);
    const schema = ownValue(tool, "input_schema");
    if (fitting.has("input_schema") && isJsonObject(schema)) {
      checkInputSchema(schema, `${pointer}/input_schema`, remarks);
    }
    if (fitting.has("permission_scope") && !scopes.has(String(tool.permission_scope))) {
      remarks.refuse(`${pointer}/permission_scope`, "scope_without_entry");
    }
  }
}

function checkToolName(name: string, pointer: string, names: Set<string>, remarks: Remarks): void {
  if (names.has(name)) remarks.refuse(`${pointer}/name`, "tool_name_repeated", name);
  names.add(name);
  if (catalogueEntry(name) === undefined) {
    remarks.warn(`${pointer}/name`, "tool_not_in_catalogue", name);
  }
}

function checkInputSchema(schema: JsonObject, pointer: string, remarks: Remarks): void {
  for (const problem of schemaProfileProblems(schema)) {
    remarks.refuse(`${pointer}${problem.pointer}`, "input_schema_outside_profile", problem.code);
  }
  if (ownValue(schema, "additionalProperties") !== false) {
    remarks.warn(`${pointer}/additionalProperties`, "additional_properties_open");
  }
}

function checkFlags(flags: JsonValue | undefined, remarks: Remarks): void {
  if (flags === undefined) return;
  if (isJsonObject(flags)) checkFields(flags, FLAG_FIELDS, "/capability_flags", remarks);
  else remarks.refuse("/capability_flags", "capability_flags_invalid");
}
