/** Writes the pages under `docs/` that say what schemas and tables of the code say. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { referencePages } from "./reference/pages.ts";

const folder = fileURLToPath(new URL("../docs/", import.meta.url));
for (const [name, text] of referencePages()) writeFileSync(folder + name, text);
