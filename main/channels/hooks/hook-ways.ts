import { HOOK_WAYS, type HookWay } from "../../../app/contract/hook-way.ts";
import type { KeptValues } from "../../storage/settings-store.ts";

const keyOf = (agentId: string): string => `hook_way ${agentId}`;

/** How an agent is connected, which the person can change at any time; before there were ways, all was checked. */
export function hookWayOf(kept: Pick<KeptValues, "value">, agentId: string): HookWay {
  const way = kept.value(keyOf(agentId));
  return HOOK_WAYS.find((each) => each === way) ?? "check_everything";
}

/** Resolves once durable. @throws StoreError */
export const setHookWay = (
  kept: Pick<KeptValues, "putValue">,
  agentId: string,
  way: HookWay,
): Promise<void> => kept.putValue(keyOf(agentId), way);

/** The agent was removed. @throws StoreError */
export const forgetHookWay = (
  kept: Pick<KeptValues, "removeValue">,
  agentId: string,
): Promise<void> => kept.removeValue(keyOf(agentId));
