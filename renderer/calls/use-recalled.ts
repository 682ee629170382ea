import { useEffect, useState } from "react";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import type { RecalledCall } from "../../app/bridge/recalled-call.ts";
import { errorCode } from "../bridge/error-code.ts";
import { useHost } from "../host-context.tsx";

export type Recalled =
  | { readonly kind: "reading" }
  | { readonly kind: "failed"; readonly code: BridgeErrorCode; readonly again: () => void }
  /** Null: it is not, or no longer, in the program's memory. */
  | { readonly kind: "read"; readonly call: RecalledCall | null };

export interface CallName {
  readonly agent_id: string;
  /** Null: it is no longer known. */
  readonly call_id: string | null;
}

type Found = Exclude<Recalled, { kind: "failed" }> | { kind: "failed"; code: BridgeErrorCode };

/** A call's content, as the program remembers it. The page keeps it only while showing it. */
export function useRecalled({ agent_id, call_id }: CallName): Recalled {
  const { bridge } = useHost();
  const [found, setFound] = useState<Found>({ kind: "reading" });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` asks again
  useEffect(() => {
    if (call_id === null) {
      setFound({ kind: "read", call: null });
      return;
    }
    let wanted = true;
    setFound({ kind: "reading" });
    bridge.call("calls.recall", { agent_id, call_id }).then(
      (call) => {
        if (wanted) setFound({ kind: "read", call });
      },
      (error: unknown) => {
        if (wanted) setFound({ kind: "failed", code: errorCode(error) });
      },
    );
    return () => {
      wanted = false;
    };
  }, [bridge, agent_id, call_id, attempt]);
  return found.kind === "failed"
    ? { ...found, again: () => setAttempt((count) => count + 1) }
    : found;
}
