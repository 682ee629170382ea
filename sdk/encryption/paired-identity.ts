import { toBase64 } from "../../app/contract/base64.ts";
import type { EncryptionLevel } from "../../app/encryption/correspondence/ports.ts";
import { safetyNumber, safetyWords } from "../../app/encryption/identity/fingerprint.ts";
import { createIdentity } from "../../app/encryption/identity/identity.ts";
import { encodeCard, type IdentityCard } from "../../app/encryption/identity/identity-card.ts";
import { nodePrimitives as crypto } from "../../runtime/crypto/node-primitives.ts";
import { agentKeyFile } from "../../runtime/files/agent-key-file.ts";
import type { SafetyNumber } from "./encryption-events.ts";
import type { KeyStore } from "./key-store.ts";
import { keepIdentity, newAgentId } from "./own-identity.ts";

/** The identity of an agent that nobody has added yet. */
export interface PairedIdentity {
  readonly agentId: string;
  /** What the request carries. */
  readonly fields: { readonly identity_card: string; readonly encryption: EncryptionLevel };
  /** What this agent and the owner of the card compare. */
  safetyNumber(card: IdentityCard): SafetyNumber;
  /** The person has added it: from now on the identity is this agent's. */
  keep(): Promise<void>;
}

/** @param level the level at which others must write to the agent, which it signs */
export function pairedIdentity(
  keyStore: KeyStore | undefined,
  level: EncryptionLevel,
): PairedIdentity {
  const agentId = newAgentId();
  const identity = createIdentity(crypto, agentId, level);
  return {
    agentId,
    fields: { identity_card: toBase64(encodeCard(identity.card)), encryption: level },
    safetyNumber: (card) => ({
      digits: safetyNumber(crypto, identity.card, card),
      words: safetyWords(crypto, identity.card, card),
    }),
    async keep() {
      if (keyStore !== undefined) return keepIdentity(keyStore, identity);
      const file = await agentKeyFile(agentId);
      await keepIdentity(file, identity).finally(() => file.close());
    },
  };
}
