/** What is measured is how fast it goes, not how much of it an agent may have. */
export const NO_LIMITS = {
  toolCallsPerMinute: 1_000_000,
  sentBytesPerMinute: Number.MAX_SAFE_INTEGER,
};
