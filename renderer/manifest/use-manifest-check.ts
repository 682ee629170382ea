import { useEffect, useState } from "react";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import { errorCode } from "../bridge/error-code.ts";

/** A result, with the text and the current manifest it is about; it is ignored for any others. */
interface Found<View> {
  readonly text: string;
  readonly against: number | null;
  readonly check: View | null;
  readonly failure: BridgeErrorCode | null;
}

export interface CheckState<View> {
  /** Null: there is nothing to check, or it is being checked. */
  readonly check: View | null;
  readonly failure: BridgeErrorCode | null;
  readonly checking: boolean;
  /** After a failure. */
  readonly again: () => void;
}

/** How long typing must pause before the text is checked, in milliseconds. */
const SETTLE_MS = 300;

/**
 * Checks the text whenever typing pauses, and again when the current manifest changes.
 * @param against the current manifest's version; null: there is none
 * @param look the same function in every render
 */
export function useManifestCheck<View>(
  text: string,
  against: number | null,
  look: (text: string) => Promise<View>,
): CheckState<View> {
  const [found, setFound] = useState<Found<View> | null>(null);
  const [attempt, setAttempt] = useState(0);
  const empty = text.trim() === "";
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt looks again
  useEffect(() => {
    if (empty) return;
    let current = true;
    const tell = (next: Found<View>): void => {
      if (current) setFound(next);
    };
    const timer = setTimeout(() => {
      look(text).then(
        (check) => tell({ text, against, check, failure: null }),
        (error) => tell({ text, against, check: null, failure: errorCode(error) }),
      );
    }, SETTLE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [text, against, empty, look, attempt]);
  const again = (): void => {
    setFound(null);
    setAttempt(attempt + 1);
  };
  if (empty) return { check: null, failure: null, checking: false, again };
  if (found?.text !== text || found.against !== against)
    return { check: null, failure: null, checking: true, again };
  return { check: found.check, failure: found.failure, checking: false, again };
}
