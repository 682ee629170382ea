import { LIMITS } from "../../app/contract/limits.ts";
import type { Clock, SendLimits } from "../hub-options.ts";
import { RollingLimit } from "./rolling-limit.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The limits of each agent at the hub, so that a flood affects only the agent that causes it. */
export interface AgentLimits {
  readonly toolCalls: RollingLimit;
  /** Weighed in bytes. */
  readonly sent: RollingLimit;
  readonly keyChanges: RollingLimit;
  /** Each bundle takes a one-time prekey away. */
  readonly keysAsked: RollingLimit;
}

/** @param clock milliseconds that never go back */
export function agentLimits(wanted: SendLimits, clock: Clock): AgentLimits {
  const { toolCallsPerMinute, sentBytesPerMinute } = { ...LIMITS, ...wanted };
  const limit = (most: number | null, withinMs: number) =>
    new RollingLimit({ most: most ?? Number.POSITIVE_INFINITY, withinMs }, clock);
  return {
    toolCalls: limit(toolCallsPerMinute, MINUTE_MS),
    sent: limit(sentBytesPerMinute, MINUTE_MS),
    keyChanges: limit(LIMITS.keyChangesPerHour, HOUR_MS),
    keysAsked: limit(LIMITS.keysAskedPerMinute, MINUTE_MS),
  };
}

/** As params of a refusal: in whole seconds, too, for those who count in them. */
export const retryAfter = (retry_after_ms: number) => ({
  retry_after: Math.ceil(retry_after_ms / 1_000),
  retry_after_ms,
});
