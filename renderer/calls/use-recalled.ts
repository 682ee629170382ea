import { useEffect, useState } from "react";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import type { RecalledCall } from "../../app/bridge/recalled-call.ts";
import { errorCode } from "../bridge/error-code.ts";
import { useHost } from "../host-context.tsx";

export type Recalled =
  | { readonly kind: "reading" }
  | { readonly kind: "failed"; readonly code: BridgeErrorCode; readonly again: () => void }
  /** Null: it is not in the program's memory, or not any more. */
  | { readonly kind: "read"; readonly call: RecalledCall | null };

export interface CallName {
  readonly agent_id: string;
  /** Null: nobody knows it any more. */
  readonly call_id: string | null;
}

type Found = Exclude<Recalled, { kind: "failed" }> | { kind: "failed"; code: BridgeErrorCode };

/** What a call carried, as the program remembers it. The page keeps it no longer than it shows it. */
export function useRecalled({ agent_id, call_id }: CallName): Recalled {
  const { bridge } = useHost();
  const [found, setFound] = useState<Found>({ kind: "reading" });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks once more
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
