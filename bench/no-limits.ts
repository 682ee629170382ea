/** Limits switched off, because speed is measured, not how much an agent may do. */
export const NO_LIMITS = { toolCallsPerMinute: null, sentBytesPerMinute: null };
