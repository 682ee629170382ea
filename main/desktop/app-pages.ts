import type { BrowserWindow } from "electron";
import { CALLS, type CallName, CONSENT_WINDOW_CALLS } from "../../app/bridge/calls.ts";
import { agentIdIn } from "../../app/contract/agent-link.ts";

/** The scheme under which the renderer is served, instead of file:// with its wide permissions. */
export const SCHEME = "consentry";
const APP_HOST = "app";

const WINDOW_KINDS = ["main", "consent"] as const;
export type WindowKind = (typeof WINDOW_KINDS)[number];

export const PAGE_URLS = {
  main: `${SCHEME}://${APP_HOST}/index.html`,
  consent: `${SCHEME}://${APP_HOST}/consent.html`,
} as const satisfies Record<WindowKind, string>;

/** Whether `url` is exactly the page that windows of this kind show, whatever its fragment. */
export function isPageOf(kind: WindowKind, url: string): boolean {
  const at = URL.parse(url);
  const own = new URL(PAGE_URLS[kind]);
  return (
    at !== null &&
    at.protocol === own.protocol &&
    at.host === own.host &&
    at.pathname === own.pathname &&
    at.username === "" &&
    at.password === ""
  );
}

/** The requested path, or null if the address is not one of ours. */
export function appPathOf(url: string): string | null {
  const at = URL.parse(url);
  if (at === null || at.protocol !== `${SCHEME}:` || at.host !== APP_HOST) return null;
  return at.pathname;
}

/** The pages a link can open, by their names in the main window's address. */
export const LINKED_PAGES = [
  "home",
  "conversations",
  "agents",
  "permissions",
  "activity",
  "settings",
] as const;

const IMPORT_PLACE = "#/settings?import";
const PAGE_LINK = /^consentry:(?:\/\/)?open\/([a-z]+)\/?$/;
const AGENT_LINK = /^consentry:(?:\/\/)?(agent\/[0-9A-Za-z_-]+)$/;

/** Whether the system passed this text on as a link; what it says is another question. */
export const isLink = (text: string): boolean => text.startsWith(`${SCHEME}:`);

/**
 * The fragment of the main window's address that a link leads to: a page, the import, or the field for an
 * agent's id. Null where it leads nowhere.
 *
 * Any web page and any program can open a link, so it names a page or an id and nothing else.
 */
export function linkedPlace(link: string): string | null {
  const page = PAGE_LINK.exec(link)?.[1];
  if (page === "import") return IMPORT_PLACE;
  const known = LINKED_PAGES.find((name) => name === page);
  if (known !== undefined) return `#/${known}`;
  const agent = AGENT_LINK.exec(link)?.[1];
  const id = agent === undefined ? null : agentIdIn(`${SCHEME}:${agent}`);
  return id === null ? null : `#/agents?add=${id}`;
}

/** What opening a link does: the window comes up, at the place that the link names if it names one. */
export function linkOpener(
  window: Pick<BrowserWindow, "loadURL">,
  show: () => void,
): (link: string | null) => void {
  return (link) => {
    show();
    const place = link === null ? null : linkedPlace(link);
    // Within the page that is there: only the address's fragment changes.
    if (place !== null) window.loadURL(`${PAGE_URLS.main}${place}`).catch(() => {});
  };
}

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
