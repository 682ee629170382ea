import type { RecalledCall } from "../../app/bridge/recalled-call.ts";
import { useRead } from "../parts/use-asked.ts";

interface CallName {
  readonly agent_id: string;
  readonly call_id: string;
}

/**
 * A call's content, as the program remembers it; null if it does not, or no longer. The page keeps it
 * only while showing it.
 */
export const useRecalled = ({ agent_id, call_id }: CallName) =>
  useRead<RecalledCall | null>(`${agent_id} ${call_id}`, (bridge) =>
    bridge.call("calls.recall", { agent_id, call_id }),
  );
