import { app } from "electron";
import { IMPORT_LINK } from "../../app/contract/export-file.ts";

/** Links, and files of ours, that macOS passes on by an event; the first one may come before there is a window. */
export interface EarlyLinks {
  /** From now on `open` gets each of them, at first the last one that came, until `signal` aborts. */
  follow(open: (link: string) => void, signal: AbortSignal): void;
}

/** Must be called before Electron is ready. Elsewhere a link or file is an argument of a start. */
export function collectLinks(): EarlyLinks {
  let kept: string | null = null;
  let pass = (link: string): void => {
    kept = link;
  };
  app.on("open-url", (event, link) => {
    event.preventDefault();
    pass(link);
  });
  app.on("open-file", (event) => {
    event.preventDefault();
    pass(IMPORT_LINK);
  });
  return {
    follow(open, signal) {
      pass = open;
      if (kept !== null) open(kept);
      signal.addEventListener("abort", () => {
        pass = () => {};
      });
    },
  };
}
