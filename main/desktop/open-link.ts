import type { BrowserWindow } from "electron";
import { PAGE_URLS } from "./app-pages.ts";
import { linkedPlace } from "./deep-link.ts";

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
