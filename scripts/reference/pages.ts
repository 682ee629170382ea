import { toolsPage } from "./tools-page.ts";

/** By their names in `docs/`. */
export const referencePages = (): ReadonlyMap<string, string> =>
  new Map([["tools.md", toolsPage()]]);
