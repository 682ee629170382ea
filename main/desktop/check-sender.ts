import { CALLS, type CallName, CONSENT_WINDOW_CALLS } from "../../app/bridge/calls.ts";
import { isPageOf, type WindowKind } from "./app-pages.ts";

/** What Electron tells about who sent a message. */
export interface SenderFacts {
  /** Id of the web contents the message came through. */
  readonly contentsId: number;
  /** Null when the frame navigated away or was destroyed before it was looked at. */
  readonly frame: {
    readonly url: string;
    readonly isMainFrame: boolean;
  } | null;
}

/**
 * The kind of the window that sent a message: only the main frame of a window we made, still
 * showing our page. Null for any other sender (docs/threat-model.md).
 */
export function senderKind(
  sender: SenderFacts,
  windows: ReadonlyMap<number, WindowKind>,
): WindowKind | null {
  const kind = windows.get(sender.contentsId);
  if (kind === undefined || sender.frame === null || !sender.frame.isMainFrame) return null;
  return isPageOf(kind, sender.frame.url) ? kind : null;
}

/** Calls that only a page in a browser has an answer for. */
const BROWSER_PAGE_CALLS: readonly CallName[] = ["page.answer", "page.abilities"];

export const CALLS_OF: Readonly<Record<WindowKind, readonly CallName[]>> = {
  main: (Object.keys(CALLS) as CallName[]).filter((name) => !BROWSER_PAGE_CALLS.includes(name)),
  consent: CONSENT_WINDOW_CALLS,
};
