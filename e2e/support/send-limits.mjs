/** Specs fill screens with calls faster than agents may; one about the limit names its own. */
export const sendLimits = {
  toolCallsPerMinute: Number(process.env.CONSENTRY_E2E_TOOL_CALLS_PER_MINUTE ?? 10_000),
};
