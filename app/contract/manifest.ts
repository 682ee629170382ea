import Type, { type TSchema } from "typebox";
import { inAnyCase } from "./ascii-case.ts";
import type { JsonObject } from "./json.ts";
import type { ManifestProblemCode } from "./manifest-remarks.ts";
import {
  PRESET_SCOPES,
  RESERVED_SCOPE_PREFIXES,
  SENSITIVITIES,
  type Sensitivity,
} from "./scopes.ts";

/** What breaks the consent given to an earlier manifest (contract §8). */
export const BREAKING_KINDS = [
  "required_added",
  "type_changed",
  "additional_properties_closed",
  "enum_value_removed",
  "tool_sensitivity_raised",
  "scope_sensitivity_lowered",
  "scope_added",
] as const;
export type BreakingKind = (typeof BREAKING_KINDS)[number];

/** Why a permission waits for the person's answer again, as the hub found it (contract §7). */
export interface BreakingReason {
  readonly kind: BreakingKind;
  /** The tool that changed; null: the permission itself did. */
  readonly tool: string | null;
}

/**
 * A manifest, field by field: `checkManifest` checks against it, and the hub's OpenAPI document and
 * docs/manifest.md are generated from it. What a schema cannot express is in `manifest-remarks.ts`.
 */
type FieldFacts = {
  /** The code of a manifest whose field is missing or invalid. */
  readonly "x-problem": ManifestProblemCode;
  readonly description: string;
};

const fact = (problem: ManifestProblemCode, description: string): FieldFacts => ({
  "x-problem": problem,
  description,
});

/** semver.org's own expression. */
const SEMVER =
  "^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$";
const NOT_RESERVED = `^(?!(?:${RESERVED_SCOPE_PREFIXES.map(inAnyCase).join("|")}))`;

const optionalText = (description: string) =>
  Type.Optional(Type.String(fact("text_missing", description)));
const text = (description: string) =>
  Type.String({ minLength: 1, ...fact("text_missing", description) });

export const ManifestToolSchema = Type.Object(
  {
    name: Type.String({
      pattern: "^[a-z][a-z0-9_]{1,31}$",
      ...fact("tool_name_invalid", "How calls name the tool. No two tools have the same."),
    }),
    description_i18n_key: text("Names the description in the agent's own texts."),
    description_fallback: optionalText("What the tool does, in words."),
    description: optionalText("What a model reads about the tool; the person never sees it."),
    input_schema: Type.Unsafe<JsonObject>(
      Type.Object(
        { type: Type.Literal("object", { description: "The arguments are one object." }) },
        fact(
          "input_schema_not_object",
          "JSON Schema 2020-12 of the arguments, within the supported profile. `format` is an annotation and refuses nothing.",
        ),
      ),
    ),
    permission_scope: Type.String(
      fact("scope_without_entry", "The `id` of one of this manifest's `permission_scopes`."),
    ),
    timeout_ms: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        ...fact(
          "timeout_invalid",
          "Milliseconds the tool may run; 10,000 where absent, 300,000 where it is more.",
        ),
      }),
    ),
    required: Type.Optional(
      Type.Boolean(fact("required_invalid", "Whether the agent is of no use without the tool.")),
    ),
  },
  fact("not_an_object", "A tool that the agent may call."),
);

const scope = {
  label_i18n_key: text("Names the label in the agent's own texts."),
  description_i18n_key: optionalText("Names the description in the agent's own texts."),
  description_fallback: optionalText("Shown where there is no other description."),
  sensitivity: Type.Enum(
    SENSITIVITIES,
    fact("sensitivity_unknown", "Whether and how often the person is asked."),
  ),
};

export const PresetScopeSchema = Type.Object(
  {
    id: Type.Enum(
      [...PRESET_SCOPES.keys()],
      fact("scope_id_invalid", "One of the preset scopes. No two entries have the same."),
    ),
    label_fallback: optionalText("Not needed: the client has its own words for these."),
    ...scope,
  },
  { ...fact("not_an_object", "A preset scope."), title: "a preset scope" },
);

export const OwnScopeSchema = Type.Object(
  {
    id: Type.String({
      minLength: 1,
      maxLength: 128,
      pattern: NOT_RESERVED,
      ...fact(
        "scope_id_invalid",
        `Any other id. Begins with neither of \`${RESERVED_SCOPE_PREFIXES.join("`, `")}\`, in any case: \`scope_id_reserved\`. No two entries have the same.`,
      ),
    }),
    label_fallback: Type.String({
      minLength: 1,
      ...fact("label_fallback_missing", "What the person is shown where there is no other label."),
    }),
    ...scope,
  },
  { ...fact("not_an_object", "Any other scope."), title: "any other scope" },
);

const flag = (description: string) =>
  Type.Optional(Type.Boolean(fact("capability_flags_invalid", description)));

export const CapabilityFlagsSchema = Type.Object(
  {
    supports_streaming: flag(
      "False: the agent streams no text while it writes; streams of its are refused.",
    ),
    supports_artifacts: flag(
      "False: the agent sends no artifacts with blocks; they are shown as data.",
    ),
    supports_voice: flag(
      "True: the agent takes voice messages and sends them. Without it, none go either way.",
    ),
    supports_group_chat: flag("False: the agent is in no group. Nobody can add it to one."),
  },
  fact("capability_flags_invalid", "What the agent can do."),
);

export const ManifestSchema = Type.Object(
  {
    schema_version: Type.Literal(
      "1.0",
      fact("schema_version_unsupported", "The form of the manifest."),
    ),
    agent_version: Type.String({
      maxLength: 256,
      pattern: SEMVER,
      ...fact("agent_version_not_semver", "The agent's own version, as SemVer 2.0.0 has it."),
    }),
    tools: Type.Array(ManifestToolSchema, fact("tools_not_a_list", "May be empty.")),
    permission_scopes: Type.Array(
      Type.Union([PresetScopeSchema, OwnScopeSchema]),
      fact("scopes_not_a_list", "May be empty."),
    ),
    capability_flags: Type.Optional(CapabilityFlagsSchema),
  },
  fact("not_an_object", "What an agent says of itself. Other members are kept, and hashed."),
);

/** A schema made here; its facts are there. */
export const problemOf = (schema: TSchema): ManifestProblemCode =>
  (schema as unknown as FieldFacts)["x-problem"];

export interface ManifestTool {
  readonly name: string;
  readonly description_i18n_key: string;
  readonly description_fallback?: string;
  /** For models, which decide by it when to call the tool; never shown to the person. */
  readonly description?: string;
  readonly input_schema: JsonObject;
  readonly permission_scope: string;
  readonly timeout_ms?: number;
  readonly required?: boolean;
}

export interface ManifestScope {
  readonly id: string;
  readonly label_i18n_key: string;
  readonly label_fallback?: string;
  readonly description_i18n_key?: string;
  readonly description_fallback?: string;
  readonly sensitivity: Sensitivity;
}

export interface CapabilityFlags {
  readonly supports_streaming?: boolean;
  readonly supports_artifacts?: boolean;
  readonly supports_voice?: boolean;
  readonly supports_group_chat?: boolean;
}

/** A manifest that passed `checkManifest`. Unknown keys are kept, and hashed. */
export interface Manifest {
  readonly schema_version: "1.0";
  readonly agent_version: string;
  readonly tools: readonly ManifestTool[];
  readonly permission_scopes: readonly ManifestScope[];
  readonly capability_flags?: CapabilityFlags;
}

export const manifestTool = (manifest: Manifest, name: string): ManifestTool | undefined =>
  manifest.tools.find((tool) => tool.name === name);

export const manifestScope = (manifest: Manifest, id: string): ManifestScope | undefined =>
  manifest.permission_scopes.find((scope) => scope.id === id);

/** contract §5: only a manifest that says so offers it. */
export const takesVoice = ({ capability_flags }: Pick<Manifest, "capability_flags">): boolean =>
  capability_flags?.supports_voice === true;

/** contract §5: only a manifest that says no rules it out. */
export const joinsGroups = ({ capability_flags }: Pick<Manifest, "capability_flags">): boolean =>
  capability_flags?.supports_group_chat !== false;

/** As above. */
export const mayStream = ({ capability_flags }: Pick<Manifest, "capability_flags">): boolean =>
  capability_flags?.supports_streaming !== false;
