/** A safety number, in two forms. It is the same at both ends and is compared over another channel. */
export interface SafetyView {
  /** Twelve groups of five digits. */
  readonly digits: string;
  /** 24 words. */
  readonly words: string;
}

/** How a relation is encrypted (docs/encryption.md, "Levels"). */
type EncryptionLevelView = "ratchet" | "sealed";

/** The state of the signed ledger at the hub (docs/encryption.md, "L6"). */
const LEDGER_STATES = ["in_step", "unchecked", "rolled_back", "forged"] as const;
export type LedgerState = (typeof LEDGER_STATES)[number];

export interface AgentKeyView {
  readonly agent_id: string;
  readonly level: EncryptionLevelView;
  /** The person has compared the number. */
  readonly verified: boolean;
  readonly safety: SafetyView;
  /** The agent's key has changed: none of its calls run until the person accepts this number. */
  readonly changed: SafetyView | null;
  /** None of its calls run unless this is `in_step`. */
  readonly ledger: LedgerState;
}

export interface PairingKeyView {
  readonly pairing_id: string;
  readonly level: EncryptionLevelView;
  readonly safety: SafetyView;
  /** As it will be shown next to the agent's name. */
  readonly fingerprint: string;
}

export interface KeysView {
  readonly agents: readonly AgentKeyView[];
  readonly pairings: readonly PairingKeyView[];
  /** A backup was restored and takes effect at the next start. */
  readonly restart_needed: boolean;
}
