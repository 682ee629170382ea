import type { OffersView, RelationState } from "../../../app/bridge/conversation-views.ts";
import { type Manifest, mayStream } from "../../../app/contract/manifest.ts";

/**
 * What is possible in a conversation with one agent, by its manifest's flags (contract §5). Voice has to
 * be offered; the others are there unless the manifest rules them out.
 */
export function offersOf(manifest: Manifest, relation: RelationState): OffersView {
  const flags = manifest.capability_flags;
  return {
    text: relation !== "revoked",
    streaming: mayStream(manifest),
    artifacts: flags?.supports_artifacts !== false,
    voice: flags?.supports_voice === true,
    groups: flags?.supports_group_chat !== false,
    tools: manifest.tools.length > 0,
  };
}

/** A group has messages and no tools (contract §1). */
export const GROUP_OFFERS: OffersView = {
  text: true,
  streaming: false,
  artifacts: true,
  voice: false,
  groups: false,
  tools: false,
};

export const SYSTEM_OFFERS: OffersView = {
  text: false,
  streaming: false,
  artifacts: false,
  voice: false,
  groups: false,
  tools: false,
};
