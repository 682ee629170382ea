import { checkManifest } from "../../../app/contract/check-manifest.ts";
import { deepFreeze, type JsonValue } from "../../../app/contract/json.ts";
import type { Manifest } from "../../../app/contract/manifest.ts";
import type { AgentView } from "../../../app/protocol/v1/rest.ts";

/** Checks a manifest from the hub like any other, and recomputes its hash. */
export function servedManifest(view: AgentView): {
  readonly manifest: Manifest;
  readonly hash: string;
} {
  const value = deepFreeze(view.capability_manifest as JsonValue);
  const verdict = checkManifest(value, JSON.stringify(value).length);
  if (!verdict.ok || verdict.hash !== view.capability_manifest_hash) {
    throw new ManifestRejected(view.agent_id);
  }
  return verdict;
}

/** The hub served a manifest that is invalid, or not the one it announced. */
class ManifestRejected extends Error {
  override readonly name = "ManifestRejected";
  readonly code = "manifest_rejected";
  readonly agentId: string;
  constructor(agentId: string) {
    super("manifest_rejected");
    this.agentId = agentId;
  }
}
