import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { BridgeErrorCode, ClientBridge } from "../../app/bridge/client-bridge.ts";
import { errorCode } from "../bridge/page-bridge.ts";
import { useHost } from "../host-context.tsx";

type Asked<T> =
  | { readonly kind: "idle" | "asking" }
  | { readonly kind: "failed"; readonly code: BridgeErrorCode }
  | { readonly kind: "found"; readonly found: T };

/** What the host answers to the last question; the answer to an earlier one is ignored. */
export function useAsked<T>() {
  const { bridge } = useHost();
  const [state, setState] = useState<Asked<T>>({ kind: "idle" });
  const asked = useRef(0);
  const begin = (kind: "idle" | "asking"): ((next: Asked<T>) => void) => {
    asked.current += 1;
    const mine = asked.current;
    setState({ kind });
    return (next) => {
      if (asked.current === mine) setState(next);
    };
  };
  const ask = async (question: (bridge: ClientBridge) => Promise<T>): Promise<void> => {
    const answer = begin("asking");
    try {
      answer({ kind: "found", found: await question(bridge) });
    } catch (error) {
      answer({ kind: "failed", code: errorCode(error) });
    }
  };
  return { state, ask, forget: () => void begin("idle") };
}

/** Asks at once, and anew for each `subject`, which names what the question is about. */
export function useRead<T>(subject: string, question: (bridge: ClientBridge) => Promise<T>) {
  const { state, ask } = useAsked<T>();
  const again = (): void => void ask(question);
  const read = useEffectEvent(again);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question is about the subject
  useEffect(() => read(), [subject]);
  return { state, again };
}
