import type { Asked, ScriptedTurn } from "../../agent-host/scripted-model/script.ts";

/** The model's turns in one chat: nine tool calls, then its answer. */
export const CHAT_TURNS = 10;
export const CHAT_ANSWER = "Counted.";

/** A model that counts with its tool, one call per turn. */
export function counting({ results: [result] }: Asked): ScriptedTurn {
  const at = result === undefined ? 0 : Number(JSON.parse(result.text).at);
  if (at >= CHAT_TURNS - 1) return { text: CHAT_ANSWER };
  return { calls: [{ name: "count", input: { at: at + 1 } }] };
}
