import type { BridgeKey } from "./web-bridge.ts";

const SESSION = "consentry.session";

/** The parts of `window` that hold the key. */
export interface KeyPlaces {
  readonly location: Pick<Location, "hash" | "pathname" | "search">;
  readonly history: Pick<History, "replaceState">;
  readonly sessionStorage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
}

/**
 * Removes the one-time token from the address at once, so that it appears in no history entry,
 * bookmark or screenshot. From then on, this tab uses the session that the host gave it.
 */
export function pageKey({ location, history, sessionStorage }: KeyPlaces): BridgeKey {
  const fromAddress = new URLSearchParams(location.hash.replace(/^#/, "")).get("token");
  if (fromAddress !== null) {
    history.replaceState(null, "", `${location.pathname}${location.search}`);
  }
  let token = fromAddress;
  return {
    token: () => token ?? sessionStorage.getItem(SESSION),
    keep: (session) => {
      token = null;
      sessionStorage.setItem(SESSION, session);
    },
    forget: () => {
      token = null;
      sessionStorage.removeItem(SESSION);
    },
  };
}
