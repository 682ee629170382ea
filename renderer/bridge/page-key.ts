import type { BridgeKey } from "./web-bridge.ts";

const SESSION = "consentry.session";

export interface KeyPlaces {
  readonly location: Pick<Location, "hash" | "pathname" | "search">;
  readonly history: Pick<History, "replaceState">;
  readonly sessionStorage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
}

const tokenIn = ({ hash }: Pick<Location, "hash">): string | null =>
  new URLSearchParams(hash.replace(/^#/, "")).get("token");

function dropFragment({ location, history }: Pick<KeyPlaces, "location" | "history">): void {
  history.replaceState(null, "", `${location.pathname}${location.search}`);
}

/** Takes the one-time token out of the address at once: no history entry or picture has it. */
export function pageKey({ location, history, sessionStorage }: KeyPlaces): BridgeKey {
  let token = tokenIn(location);
  if (token !== null) dropFragment({ location, history });
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

interface LinkPlaces extends Pick<KeyPlaces, "history"> {
  readonly location: KeyPlaces["location"] & Pick<Location, "reload">;
  addEventListener(type: "hashchange", listener: () => void): void;
}

/**
 * A link that is pasted into this tab changes only the fragment: a page that needs its token is loaded
 * again. In a connected one it is only removed: used up, or of an earlier start, it would cost the session.
 */
export function openPastedLinks(page: LinkPlaces, isConnected: () => boolean): void {
  page.addEventListener("hashchange", () => {
    if (tokenIn(page.location) === null) return;
    if (isConnected()) dropFragment(page);
    else page.location.reload();
  });
}
