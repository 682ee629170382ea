import { useCallback, useEffect, useState } from "react";
import type { AppView } from "../../app/bridge/app-views.ts";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import { errorCode } from "../bridge/error-code.ts";
import { useHost } from "../host-context.tsx";

interface Apps {
  /** Null until the host has looked. */
  readonly apps: readonly AppView[] | null;
  readonly failure: BridgeErrorCode | null;
  readonly refresh: () => void;
}

/** Looked up when shown, and each time the person comes back to the page: others write these files too. */
export function useApps(): Apps {
  const { bridge } = useHost();
  const [found, setFound] = useState<Omit<Apps, "refresh">>({ apps: null, failure: null });
  const refresh = useCallback(() => {
    bridge.call("apps.list", {}).then(
      (apps) => setFound({ apps, failure: null }),
      (error: unknown) => setFound({ apps: null, failure: errorCode(error) }),
    );
  }, [bridge]);
  useEffect(() => {
    refresh();
    window.addEventListener("focus", refresh);
    return () => window.removeEventListener("focus", refresh);
  }, [refresh]);
  return { ...found, refresh };
}
