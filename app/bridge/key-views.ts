/** What is compared over another channel: the same at both ends, whole, in either form. */
export interface SafetyView {
  /** Twelve groups of five digits. */
  readonly digits: string;
  /** 24 words. */
  readonly words: string;
}

/** How a relation is encrypted (docs/encryption.md, "Levels"). */
type EncryptionLevelView = "ratchet" | "sealed";

/** The signed list of grants at the hub, as this end finds it (docs/encryption.md, "L6"). */
const LEDGER_STATES = ["in_step", "unchecked", "rolled_back", "forged"] as const;
export type LedgerState = (typeof LEDGER_STATES)[number];

export interface AgentKeyView {
  readonly agent_id: string;
  readonly level: EncryptionLevelView;
  /** The person has compared the number. */
  readonly verified: boolean;
  readonly safety: SafetyView;
  /** The agent shows another key: none of its calls run until the person accepts this number. */
  readonly changed: SafetyView | null;
  /** Anything but `in_step`: none of its calls run. */
  readonly ledger: LedgerState;
}

export interface PairingKeyView {
  readonly pairing_id: string;
  readonly level: EncryptionLevelView;
  readonly safety: SafetyView;
  /** As it will stand beside the agent's name. */
  readonly fingerprint: string;
}

export interface KeysView {
  readonly agents: readonly AgentKeyView[];
  readonly pairings: readonly PairingKeyView[];
  /** A backup was put back: it counts from the next start on. */
  readonly restart_needed: boolean;
}
