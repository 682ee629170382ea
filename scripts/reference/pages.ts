import { PolicyFile } from "../../app/policy/policy-file.ts";
import { bridgePage } from "./bridge-page.ts";
import { manifestPage } from "./manifest-page.ts";
import { restPage } from "./rest-page.ts";
import { toolsPage } from "./tools-page.ts";

/** For editors, in which administrators write a policy: the schema that policies are checked with. */
const policySchema = (): string =>
  `${JSON.stringify({ $schema: "https://json-schema.org/draft/2020-12/schema", ...PolicyFile }, null, 2)}\n`;

/** By their names in `docs/`. */
export const referencePages = (): ReadonlyMap<string, string> =>
  new Map([
    ["bridge.md", bridgePage()],
    ["manifest.md", manifestPage()],
    ["policy.schema.json", policySchema()],
    ["rest.md", restPage()],
    ["tools.md", toolsPage()],
  ]);
