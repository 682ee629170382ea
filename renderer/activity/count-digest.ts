import type { CallResult } from "../../app/bridge/calls.ts";
import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import { countMatching } from "./count-matching.ts";

type Problem = Extract<CallResult<"activity.digest">, { problem: unknown }>;

/** What is wrong with the pasted text, or how many finished calls had these arguments. */
export type Checked = Problem | { readonly digest: string; readonly count: number };

/** @throws BridgeError */
export async function countDigest(bridge: ClientBridge, text: string): Promise<Checked> {
  const pasted = await bridge.call("activity.digest", { text });
  if ("problem" in pasted) return pasted;
  const { digest } = pasted;
  const { total } = await countMatching(bridge, { arguments_digest: digest });
  return { digest, count: total };
}
