import type { WebContents } from "electron";

/** How often a crashed page is reloaded; after that it stays closed, and nothing is approved. */
const RELOADS_AT_MOST = 3;

/** Nothing that a page shows can navigate it elsewhere (docs/threat-model.md). */
export function hardenContents(contents: WebContents): void {
  contents.on("will-navigate", (event) => event.preventDefault());
  contents.on("will-redirect", (event) => event.preventDefault());
  contents.on("will-attach-webview", (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: "deny" }));
}

export function reloadAfterCrash(contents: WebContents): void {
  let reloads = 0;
  contents.on("render-process-gone", (_event, details) => {
    if (details.reason === "clean-exit" || reloads >= RELOADS_AT_MOST) return;
    reloads += 1;
    contents.reload();
  });
}
