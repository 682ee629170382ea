/** Generates the files that are made from schemas and tables in the code. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { referencePages } from "./reference/pages.ts";

const folder = fileURLToPath(new URL("../", import.meta.url));
for (const [name, text] of referencePages()) writeFileSync(folder + name, text);
