import type { Static } from "typebox";
import type {
  CapabilityFlagsSchema,
  ManifestToolSchema,
  OwnScopeSchema,
} from "./manifest-schema.ts";

export type ManifestTool = Readonly<Static<typeof ManifestToolSchema>>;

type OwnScope = Readonly<Static<typeof OwnScopeSchema>>;
/** A preset scope needs no label. */
export type ManifestScope = Omit<OwnScope, "label_fallback"> & Partial<OwnScope>;

export type CapabilityFlags = Readonly<Static<typeof CapabilityFlagsSchema>>;

/** A manifest that passed `checkManifest`. Keys this version does not know are kept, and hashed. */
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
