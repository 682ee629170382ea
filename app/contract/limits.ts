const MIB = 1_048_576;

/** Every number the contract fixes, in one place. Sizes in bytes, times in milliseconds. */
export const LIMITS = {
  /** contract §1: bytes of a tool call's payload. */
  callBytes: 65_536,
  /** contract §1: bytes of a serialised result. */
  resultBytes: 1_048_576,
  /** contract §1: nesting of arrays and objects. */
  jsonDepth: 64,
  /** contract §5: bytes of a manifest as sent; one more is `MANIFEST_TOO_LARGE`. */
  manifestBytes: 131_072,
  /** contract §5: bytes of a manifest from which a warning is given. */
  manifestWarnBytes: 65_536,
  /** contract §2.8 */
  toolTimeoutDefaultMs: 10_000,
  toolTimeoutCapMs: 300_000,
  /** contract §3 */
  consentTimeoutMs: 30_000,
  consentTimeoutCapMs: 300_000,
  windowSlideMs: 24 * 3_600_000,
  windowCapMs: 7 * 24 * 3_600_000,
  waitingPerAgent: 3,
  waitingInAll: 20,
  /** Notifications of one agent, of whatever kind, that are shown one by one within a minute. */
  notificationsPerMinute: 5,
  /** A preview that takes longer is not drawn. */
  previewMs: 5_000,
  /** consent-window rule: an approval earlier than this after the card appeared does not count. */
  approvalInertMs: 500,
  /** contract §6 */
  auditRetentionMs: 30 * 24 * 3_600_000,
  /**
   * A request outlives its agent's line by this long (contract §3): the longest pause between two
   * attempts to come back, and what one may take.
   */
  agentAbsenceGraceMs: 45_000,
  /** contract §8: what the hub takes of one agent, whatever the agent may do. */
  toolCallsPerMinute: 60,
  /** Bytes of envelopes as sent, and `messageOverheadBytes` for each. */
  sentBytesPerMinute: 8 * MIB,
  /** The same, of what nobody has received yet. */
  waitingBytes: 16 * MIB,
  /** The same, of what the person's client keeps of an agent's messages. */
  keptBytes: 64 * MIB,
  /** What a message costs besides its content. */
  messageOverheadBytes: 512,
  /** Identities that an agent may publish one after the other. */
  keyChangesPerHour: 10,
  /** Times that one end may ask for keys: an agent in all, a person for each other end. */
  keysAskedPerMinute: 60,
  /** Characters of a password that protects a file. */
  passwordChars: 1_024,
  /** Refused envelopes of one agent that are reported one by one in a minute. */
  faultsPerMinute: 60,
  /** Pairing */
  pairingsWaiting: 3,
  pairingLifeMs: 5 * 60_000,
  pairingNameChars: 64,
  callIdChars: 128,
} as const;
