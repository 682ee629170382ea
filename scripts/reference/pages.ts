import { manifestPage } from "./manifest-page.ts";
import { restPage } from "./rest-page.ts";
import { toolsPage } from "./tools-page.ts";

/** By their names in `docs/`. */
export const referencePages = (): ReadonlyMap<string, string> =>
  new Map([
    ["manifest.md", manifestPage()],
    ["rest.md", restPage()],
    ["tools.md", toolsPage()],
  ]);
