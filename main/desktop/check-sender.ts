import { CALLS, type CallName, CONSENT_WINDOW_CALLS } from "../../app/bridge/calls.ts";
import { isPageOf, type WindowKind } from "./app-pages.ts";

/** What Electron says about the sender of a message. */
export interface SenderFacts {
  /** Id of the web contents that sent the message. */
  readonly contentsId: number;
  /** Null if the frame has navigated away or was destroyed. */
  readonly frame: {
    readonly url: string;
    readonly isMainFrame: boolean;
  } | null;
}

/**
 * The kind of window that sent a message. Only the main frame of a window we created counts, while
 * it shows our page. Null for any other sender (docs/threat-model.md).
 */
export function senderKind(
  sender: SenderFacts,
  windows: ReadonlyMap<number, WindowKind>,
): WindowKind | null {
  const kind = windows.get(sender.contentsId);
  if (kind === undefined || sender.frame === null || !sender.frame.isMainFrame) return null;
  return isPageOf(kind, sender.frame.url) ? kind : null;
}

/** Calls that only a page in a browser can make. */
const BROWSER_PAGE_CALLS: readonly CallName[] = ["page.answer", "page.abilities", "page.attended"];

export const CALLS_OF: Readonly<Record<WindowKind, readonly CallName[]>> = {
  main: (Object.keys(CALLS) as CallName[]).filter((name) => !BROWSER_PAGE_CALLS.includes(name)),
  consent: CONSENT_WINDOW_CALLS,
};
