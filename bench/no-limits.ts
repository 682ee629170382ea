/** Limits switched off, because speed is measured, not how much an agent may do. */
export const NO_LIMITS = {
  toolCallsPerMinute: 1_000_000,
  sentBytesPerMinute: Number.MAX_SAFE_INTEGER,
};
