import { withdrawalOf } from "../consent/verdict.ts";
import { platformError, type Refusal, unavailable } from "../contract/codes.ts";
import type { JsonValue } from "../contract/json.ts";
import { LIMITS } from "../contract/limits.ts";
import { type ExaminedCall, hasMoved } from "./examine-call.ts";
import type { LiveCall, LiveCalls } from "./live-calls.ts";
import { withdrawalRefusal } from "./obtain-permission.ts";
import {
  type Given,
  type ReadableArrival,
  type Scheduler,
  type ToolContext,
  type ToolProgress,
  toolFailure,
  toolUnavailable,
} from "./ports.ts";

export type ToolOutcome = { readonly status: "ok"; readonly result: JsonValue } | Refusal;

/**
 * Milliseconds a call may run (contract §2.8): the smaller of what the call and the manifest say,
 * 10 s where the manifest is silent, never over 300 s. A call can shorten its time, not lengthen it.
 */
const runLimitMs = (call: number | undefined, manifest: number | undefined): number =>
  Math.min(
    call ?? LIMITS.toolTimeoutCapMs,
    manifest ?? LIMITS.toolTimeoutDefaultMs,
    LIMITS.toolTimeoutCapMs,
  );

/** §2.8. Ends at the limit or when `stopped` aborts, whether or not the tool listens. */
export async function runTool(
  { scheduler, live: calls }: { readonly scheduler: Scheduler; readonly live: LiveCalls },
  examined: ExaminedCall,
  arrival: ReadableArrival,
  given: Given,
  live: LiveCall,
): Promise<ToolOutcome> {
  const stopped = live.signal;
  if (stopped.aborted) return stopRefusal(live);
  // One signal and one listener: `AbortSignal.any` and a listener for each end cost a silent call
  // a tenth of its time.
  const ending = new AbortController();
  const ended = Promise.withResolvers<Refusal>();
  const end = (refusal: Refusal, reason: unknown): void => {
    ended.resolve(refusal);
    ending.abort(reason);
  };
  const stop = (): void => end(stopRefusal(live), stopped.reason);
  const limitMs = runLimitMs(arrival.call.timeout_ms, examined.declared.timeout_ms);
  const cancelLimit = scheduler.after(limitMs, () => end(platformError("tool_timeout"), "limit"));
  stopped.addEventListener("abort", stop, { once: true });
  try {
    const progress = (report: ToolProgress) => calls.progress(live, report);
    return await Promise.race([
      runToEnd(examined, arrival, given, { progress, signal: ending.signal }),
      ended.promise,
    ]);
  } finally {
    cancelLimit();
    stopped.removeEventListener("abort", stop);
  }
}

async function runToEnd(
  examined: ExaminedCall,
  { call, conversation_id, watched }: ReadableArrival,
  { roots, hosts, whole_scope, seen, chosen }: Given,
  run: Pick<ToolContext, "progress" | "signal">,
): Promise<ToolOutcome> {
  const { agent, tool } = examined;
  try {
    if (watched === undefined && (await hasMoved(examined))) {
      return platformError("changed_since_shown");
    }
    const { agent_id, name } = agent;
    const from = { call_id: call.call_id, agent_id, agent_name: name, conversation_id };
    const given = { roots, hosts, whole_scope, seen, chosen };
    const result = await tool.run(call.arguments, { ...from, ...given, ...run });
    return resultBytes(result) > LIMITS.resultBytes
      ? platformError("too_large")
      : { status: "ok", result };
  } catch (error) {
    if (toolUnavailable.is(error)) return unavailable(error.code);
    return platformError(toolFailure.is(error) ? error.code : "internal_error");
  }
}

const utf8 = new TextEncoder();

/** UTF-8 bytes of the serialised result; encoded only when its length alone does not settle it. */
function resultBytes(result: JsonValue): number {
  const text = JSON.stringify(result);
  const certain = text.length > LIMITS.resultBytes || text.length * 3 <= LIMITS.resultBytes;
  return certain ? text.length : utf8.encode(text).byteLength;
}

/** A pause refuses calls that have not started and cancels those that run. */
function stopRefusal(live: LiveCall): Refusal {
  const why = withdrawalOf(live.signal);
  return why === null || why === "paused" ? platformError("cancelled") : withdrawalRefusal(why);
}
