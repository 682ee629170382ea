import type { JsonObject } from "./json.ts";
import type { Sensitivity } from "./sensitivity.ts";

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
export const mayStream = ({ capability_flags }: Pick<Manifest, "capability_flags">): boolean =>
  capability_flags?.supports_streaming !== false;
