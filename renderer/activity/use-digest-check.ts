import { useRef, useState } from "react";
import type { CallResult } from "../../app/bridge/calls.ts";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import { errorCode } from "../bridge/error-code.ts";
import { useHost } from "../host-context.tsx";
import { countMatching } from "./count-matching.ts";

type Pasted = CallResult<"activity.digest">;
type Problem = Extract<Pasted, { problem: unknown }>;

/** What is wrong with the pasted text, or how many finished calls had these arguments. */
export type Checked = Problem | { readonly digest: string; readonly count: number };

interface DigestCheckState {
  readonly checking: boolean;
  readonly failure: BridgeErrorCode | null;
  readonly checked: Checked | null;
  readonly check: (text: string) => Promise<void>;
  readonly forget: () => void;
}

export function useDigestCheck(): DigestCheckState {
  const { bridge } = useHost();
  const [checking, setChecking] = useState(false);
  const [failure, setFailure] = useState<BridgeErrorCode | null>(null);
  const [checked, setChecked] = useState<Checked | null>(null);
  const asked = useRef(0);
  const answer = async (text: string): Promise<Checked> => {
    const pasted = await bridge.call("activity.digest", { text });
    if ("problem" in pasted) return pasted;
    const { digest } = pasted;
    const { total } = await countMatching(bridge, { arguments_digest: digest });
    return { digest, count: total };
  };
  const forget = (): void => {
    asked.current += 1;
    setChecked(null);
    setFailure(null);
    setChecking(false);
  };
  const check = async (text: string): Promise<void> => {
    forget();
    const mine = asked.current;
    setChecking(true);
    try {
      const next = await answer(text);
      if (asked.current === mine) setChecked(next);
    } catch (error) {
      if (asked.current === mine) setFailure(errorCode(error));
    }
    if (asked.current === mine) setChecking(false);
  };
  return { checking, failure, checked, check, forget };
}
