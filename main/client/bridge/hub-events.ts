import type { HubEvents } from "../../channels/hub-channel.ts";
import type { PairingDesk } from "../agents/pairing-desk.ts";
import type { Presence } from "../agents/presence.ts";
import type { RelationKeeper } from "../agents/relation-keeper.ts";
import type { KeyRoom } from "../keys/key-room.ts";

interface HubEars {
  readonly presence: Presence;
  readonly pairings: PairingDesk;
  readonly keeper: RelationKeeper;
  readonly conversations: Pick<HubEvents, "stream" | "typing" | "groupUpdated" | "messageRead">;
  readonly keys: Pick<KeyRoom, "keyring" | "connected" | "refused">;
  connected(isConnected: boolean): void;
  /** What is shown of an agent may be old. */
  agentsChanged(): void;
}

/** Whom what the hub says concerns. */
export function hubEvents(ears: HubEars): HubEvents {
  const { presence, pairings, keeper, conversations, ...told } = ears;
  return {
    connected(isConnected) {
      told.connected(isConnected);
      presence.forget();
      pairings.forget();
      if (isConnected) {
        keeper.reconcile();
        told.keys.connected();
      }
      told.agentsChanged();
    },
    presence(agentId, online) {
      presence.set(agentId, online);
      told.agentsChanged();
    },
    pairingRequested: (payload) => pairings.requested(payload),
    pairingClosed: (pairingId) => pairings.closed(pairingId),
    relation(frame) {
      keeper.relation(frame);
      told.agentsChanged();
    },
    reauthRequired: (payload) => keeper.reauthRequired(payload),
    manifestChanged: ({ agent_id, capability_manifest_version }) =>
      keeper.manifestChanged(agent_id, capability_manifest_version),
    keysChanged: (ownerId) => told.keys.keyring.changed(ownerId),
    prekeysLow: () => void told.keys.keyring.replenish(),
    envelopeRefused: (agentId, code) => told.keys.refused(agentId, code),
    ...conversations,
  };
}
