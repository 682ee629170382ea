import type { RelationStatus } from "../../../app/bridge/agent-views.ts";
import type { OffersView } from "../../../app/bridge/conversation-views.ts";
import { type Manifest, mayStream, takesVoice } from "../../../app/contract/manifest.ts";

/**
 * What is possible in a conversation with one agent, by its manifest's flags (contract §5). Voice has to
 * be offered; the others are there unless the manifest rules them out. A voice message is heard only
 * while the relation is active.
 */
export function offersOf(manifest: Manifest, relation: RelationStatus): OffersView {
  const flags = manifest.capability_flags;
  return {
    text: relation !== "revoked",
    streaming: mayStream(manifest),
    artifacts: drawsArtifacts(manifest),
    voice: relation === "active" && takesVoice(manifest),
    groups: flags?.supports_group_chat !== false,
    tools: manifest.tools.length > 0,
  };
}

export const drawsArtifacts = ({ capability_flags }: Pick<Manifest, "capability_flags">): boolean =>
  capability_flags?.supports_artifacts !== false;

/**
 * A group has messages and no tools (contract §1). Streams and artifacts are each agent's own matter;
 * a voice message goes to all, so all have to take it (contract §5).
 * @param manifests of its active agents; undefined: not one of the person's agents
 */
export function groupOffers(manifests: readonly (Manifest | undefined)[]): OffersView {
  const hear = (manifest: Manifest | undefined) => manifest !== undefined && takesVoice(manifest);
  return {
    text: true,
    streaming: true,
    artifacts: true,
    voice: manifests.length > 0 && manifests.every(hear),
    groups: false,
    tools: false,
  };
}

export const SYSTEM_OFFERS: OffersView = {
  text: false,
  streaming: false,
  artifacts: false,
  voice: false,
  groups: false,
  tools: false,
};
