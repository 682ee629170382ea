import { useEffect, useState } from "react";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import type { NewManifestView } from "../../app/bridge/manifest-views.ts";
import { errorCode } from "../bridge/error-code.ts";
import { useHost } from "../host-context.tsx";

/** How long typing must pause before the text is checked, in milliseconds. */
const SETTLE_MS = 300;

export interface NewManifest {
  /** Null: there is nothing to check, or it is being checked. */
  readonly view: NewManifestView | null;
  readonly failure: BridgeErrorCode | null;
  readonly checking: boolean;
}

type Found = Omit<NewManifest, "checking"> & { readonly text: string };

/** The host's findings for the current text; those for an earlier text are not shown. */
export function useNewManifest(text: string): NewManifest {
  const { bridge } = useHost();
  const [found, setFound] = useState<Found | null>(null);
  const empty = text.trim() === "";
  useEffect(() => {
    if (empty) return;
    let current = true;
    const tell = (next: Omit<Found, "text">): void => {
      if (current) setFound({ ...next, text });
    };
    const timer = setTimeout(() => {
      bridge.call("manifest.check_new", { text }).then(
        (view) => tell({ view, failure: null }),
        (error: unknown) => tell({ view: null, failure: errorCode(error) }),
      );
    }, SETTLE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [bridge, text, empty]);
  if (empty) return { view: null, failure: null, checking: false };
  if (found?.text !== text) return { view: null, failure: null, checking: true };
  return { view: found.view, failure: found.failure, checking: false };
}
