import Type from "typebox";
import { guardOf } from "../app/contract/checked.ts";
import type { Manifest } from "../app/contract/manifest.ts";
import { askHub, type HubPorts } from "./hub-request.ts";
import { ManifestError, type ManifestErrorCode } from "./manifest-error.ts";
import { type ManifestRemark, remarksIn, unreadable } from "./manifest-remarks.ts";

const REFUSALS: Readonly<Record<string, ManifestErrorCode>> = {
  MANIFEST_INVALID: "manifest_invalid",
  MANIFEST_TOO_LARGE: "manifest_invalid",
  UNAUTHENTICATED: "invalid_token",
  AGENT_REMOVED: "agent_removed",
};

export interface ManifestUpdate {
  readonly capability_manifest_version: number;
  /** Lowercase hex SHA-256 of the manifest's RFC 8785 form. */
  readonly capability_manifest_hash: string;
  /** What needs the person's consent again; until they answer, these scopes count as not granted. */
  readonly breaking_changes: readonly BreakingChange[];
  readonly warnings: readonly ManifestRemark[];
}

export interface BreakingChange {
  /** RFC 6901 pointer into the new manifest (into the old one for something removed). */
  readonly pointer: string;
  /** One of the kinds in docs/protocol.md; a newer hub may have others. */
  readonly kind: string;
  readonly scope: string;
}

const isAccepted = guardOf(
  Type.Object({
    capability_manifest_version: Type.Integer(),
    capability_manifest_hash: Type.String(),
    breaking_changes: Type.Array(
      Type.Object({ pointer: Type.String(), kind: Type.String(), scope: Type.String() }),
    ),
    warnings: Type.Optional(Type.Unknown()),
  }),
);

/** @throws ManifestError; AgentError `invalid_base_url` */
export async function updateManifest(
  ports: HubPorts,
  { agentId, token }: { readonly agentId: string; readonly token: string },
  manifest: Manifest,
): Promise<ManifestUpdate> {
  const problems = unreadable(manifest);
  if (problems.length > 0) throw new ManifestError("manifest_invalid", problems);
  const answer = await askHub(ports, {
    method: "PATCH",
    path: `/agents/${encodeURIComponent(agentId)}`,
    token,
    body: manifest,
  });
  if (answer.kind === "refused") {
    const code = REFUSALS[answer.code] ?? "hub_refused";
    throw new ManifestError(code, remarksIn(answer.params.problems));
  }
  if (answer.kind !== "data" || !isAccepted(answer.data))
    throw new ManifestError("hub_unreachable");
  const { capability_manifest_version, capability_manifest_hash, breaking_changes } = answer.data;
  const warnings = remarksIn(answer.data.warnings);
  return { capability_manifest_version, capability_manifest_hash, breaking_changes, warnings };
}
