import { PolicyFile } from "../../app/policy/policy-file.ts";
import { manifestPage } from "./manifest-page.ts";
import { restPage } from "./rest-page.ts";
import { toolsPage, toolTypes } from "./tools-page.ts";

/** For editors, in which administrators write a policy: the schema that policies are checked with. */
const policySchema = (): string =>
  `${JSON.stringify({ $schema: "https://json-schema.org/draft/2020-12/schema", ...PolicyFile }, null, 2)}\n`;

/** By their paths. */
export const referencePages = (): ReadonlyMap<string, string> =>
  new Map([
    ["docs/manifest.md", manifestPage()],
    ["docs/policy.schema.json", policySchema()],
    ["docs/rest.md", restPage()],
    ["docs/tools.md", toolsPage()],
    ["sdk/tool-types.ts", toolTypes()],
  ]);
