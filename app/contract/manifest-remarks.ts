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
export type ManifestProblemCode = (typeof MANIFEST_PROBLEMS)[number];

export const MANIFEST_WARNINGS = [
  "manifest_large",
  "additional_properties_open",
  "preset_sensitivity_lowered",
  "tool_not_in_catalogue",
] as const;
export type ManifestWarningCode = (typeof MANIFEST_WARNINGS)[number];

/** `pointer` is an RFC 6901 JSON Pointer into the manifest. */
interface ManifestRemark<Code extends string> {
  readonly pointer: string;
  readonly code: Code;
  /** An identifier from the offending value (an id, a keyword), never free text. */
  readonly detail?: string;
}
export type ManifestProblem = ManifestRemark<ManifestProblemCode>;
export type ManifestWarning = ManifestRemark<ManifestWarningCode>;

/** Problems that `ManifestSchema` cannot express; a manifest that is valid under it can have no others. */
export const BEYOND_SCHEMA = {
  MANIFEST_TOO_LARGE: "It has over 131,072 bytes as sent; the HTTP error has this code too.",
  not_strict_json: "Its text is not strict JSON; `detail` is the fault.",
  tool_name_repeated: "An earlier tool has the same `name`.",
  input_schema_outside_profile:
    "An `input_schema` uses what the profile leaves out; `detail` is the profile's code.",
  input_schema_invalid: "An `input_schema` does not compile; `detail` is the profile's code.",
  scope_without_entry: "No entry of `permission_scopes` has the `id` that a tool names.",
  scope_id_repeated: "An earlier scope has the same `id`.",
} as const satisfies Partial<Record<ManifestProblemCode, string>>;

/** Warnings, with which a manifest is still accepted. When the hub refuses one, it lists them too. */
export const WARNED_OF: Readonly<Record<ManifestWarningCode, string>> = {
  manifest_large: "It has 65,536 bytes or more as sent.",
  additional_properties_open: "An `input_schema` does not have `additionalProperties: false`.",
  preset_sensitivity_lowered:
    "A preset scope has a lower `sensitivity` than it is given; that one, `detail`, counts.",
  tool_not_in_catalogue: "The client has no tool of this name, and would run none.",
};
