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
  /** For a request of a program on this computer, which waits longer: less than hooks do where we set them up. */
  consentTimeoutLocalMs: 270_000,
  /** What a person may write to the agent with a denial. */
  personsWordsChars: 500,
  quietUnusedMs: 24 * 3_600_000,
  quietLongestMs: 7 * 24 * 3_600_000,
  ruleMinutesMs: 15 * 60_000,
  ruleTaskMs: 24 * 3_600_000,
  /** The longest that a rule may answer a high one. */
  ruleHighMs: 8 * 3_600_000,
  /** Rules in one file, and its bytes. */
  ruleFileRules: 500,
  ruleFileBytes: 1_000_000,
  /** Folders tried outside those it was given that one agent's notices name: at once, and within `triedFoldersMs`. */
  triedFolders: 3,
  triedFoldersMs: 5 * 60_000,
  /** Bytes of a file with all of a person's data, and of each part in which a page sends it. */
  importBytes: 4 * 1024 * MIB,
  importPartBytes: 512 * 1024,
  /** Agents in it. */
  importAgents: 1_000,
  /** Requests that may wait: of one agent of the hub, of all of them, and of all agents on this computer. */
  waitingPerAgent: 3,
  waitingInAll: 20,
  waitingLocal: 50,
  /** Notifications of one agent, of any kind, that are shown individually in a minute. */
  notificationsPerMinute: 5,
  /** A preview that takes longer is not drawn. */
  previewMs: 5_000,
  /** consent-window rule: an approval earlier than this after the card appeared does not count. */
  approvalInertMs: 500,
  /** contract §3: how long the button is held that allows what runs without a sandbox. */
  holdToAllowMs: 1_500,
  /** How much shorter it may be in the program, which hears of the press a little later than the page. */
  holdSlackMs: 250,
  /** contract §3: how long the person may take a denial back before it leaves. */
  denialHeldMs: 5_000,
  /** How long a countdown stands still after a sign that the person reads the card. */
  readingHoldMs: 5_000,
  /** The same, all such moments of one card together. */
  readingHoldsMs: 5 * 60_000,
  /** The least time between two signs of reading that change something. */
  readingToldMs: 1_000,
  /** contract §6 */
  auditRetentionMs: 30 * 24 * 3_600_000,
  /**
   * How long a request outlives its agent's connection (contract §3): the longest pause between two
   * attempts to reconnect, and the time that one may take.
   */
  agentAbsenceGraceMs: 45_000,
  /** contract §8: what the hub accepts from one agent. */
  toolCallsPerMinute: 60,
  /** Bytes of envelopes as sent, and `messageOverheadBytes` for each. */
  sentBytesPerMinute: 8 * MIB,
  /** The same, for messages that nobody has received yet. */
  waitingBytes: 16 * MIB,
  /** The same, for the agent's messages that the person's client stores. */
  keptBytes: 64 * MIB,
  /** Bytes that a message counts for besides its content. */
  messageOverheadBytes: 512,
  /** Identities that an agent may publish one after the other. */
  keyChangesPerHour: 10,
  /** How often keys may be requested: by an agent in all, by a person for each owner. */
  keysAskedPerMinute: 60,
  /** Characters of a password that protects a file. */
  passwordChars: 1_024,
  /** Refused envelopes of one agent that are reported individually in a minute. */
  faultsPerMinute: 60,
  /** Pairing */
  pairingsWaiting: 3,
  pairingLifeMs: 5 * 60_000,
  pairingNameChars: 64,
  callIdChars: 128,
  /** Characters of a path, host or program by which the log is searched. */
  subjectChars: 4_096,
  /** UTF-16 units of what a call was about, as the log keeps it. */
  keptTargetChars: 1_024,
  /** Bytes of a file whose content is kept before it is changed; of all of them; and for how long, in milliseconds. */
  keptFileBytes: 8_388_608,
  keptFilesBytes: 268_435_456,
  keptFilesMs: 604_800_000,
  /** UTF-16 units of the pointer that says where a call's arguments are wrong. */
  violationPointerChars: 512,
  /** contract §12: what an artifact may have; more is not drawn. */
  artifactBlocks: 16,
  /** Bytes of its JSON, without what its files contain. */
  artifactBytes: 65_536,
  /** Bytes of all its files. */
  artifactFileBytes: 786_432,
  /** The highest revision. */
  artifactRevisions: 100,
  artifactOptions: 100,
  artifactColumns: 12,
  artifactRows: 200,
  artifactKeyChars: 64,
  artifactLabelChars: 200,
  /** Characters of one block's text, and of what the person enters in a field. */
  artifactTextChars: 20_000,
  /** contract §14: a voice message. */
  voiceMs: 180_000,
  /** Bytes of its recording. */
  voiceBytes: 786_432,
  /** Bytes of its envelope, which is all that the hub can see. */
  voiceEnvelopeBytes: 1_310_720,
  voiceTranscriptChars: 20_000,
} as const;
