import { useEffect, useState } from "react";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import type { ManifestCheckView } from "../../app/bridge/manifest-views.ts";
import { errorCode } from "../bridge/error-code.ts";

/** A result, with the text and the current manifest it is about; it is ignored for any others. */
interface Found {
  readonly text: string;
  readonly against: number;
  readonly check: ManifestCheckView | null;
  readonly failure: BridgeErrorCode | null;
}

export interface CheckState {
  /** Null: there is nothing to check, or it is being checked. */
  readonly check: ManifestCheckView | null;
  readonly failure: BridgeErrorCode | null;
  readonly checking: boolean;
}

/** How long typing must pause before the text is checked, in milliseconds. */
const SETTLE_MS = 300;

/**
 * Checks the text whenever typing pauses, and again when the current manifest changes. `look` must
 * be the same function in every render.
 */
export function useManifestCheck(
  text: string,
  against: number,
  look: (text: string) => Promise<ManifestCheckView>,
): CheckState {
  const [found, setFound] = useState<Found | null>(null);
  const empty = text.trim() === "";
  useEffect(() => {
    if (empty) return;
    let current = true;
    const tell = (next: Found): void => {
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
  }, [text, against, empty, look]);
  if (empty) return { check: null, failure: null, checking: false };
  if (found?.text !== text || found.against !== against)
    return { check: null, failure: null, checking: true };
  return { check: found.check, failure: found.failure, checking: false };
}
