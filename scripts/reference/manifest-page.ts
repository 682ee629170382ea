import type { TSchema } from "typebox";
import { BEYOND_SCHEMA, WARNED_OF } from "../../app/contract/manifest-remarks.ts";
import {
  CapabilityFlagsSchema,
  ManifestSchema,
  ManifestToolSchema,
  OwnScopeSchema,
  PresetScopeSchema,
} from "../../app/contract/manifest-schema.ts";
import { code, type Described, fieldsOf, table } from "./describe-schema.ts";

/** docs/manifest.md: an agent's manifest, and the hub's findings about it. */
export const manifestPage = (): string =>
  [
    "# The manifest",
    "",
    "What an agent says of itself when it is registered or paired, and whenever it changes. Written by",
    "`npm run docs:reference` from the schema that manifests are judged by",
    "([`manifest-schema.ts`](../app/contract/manifest-schema.ts)); a test fails when the two differ. A running hub",
    "has the same schema at `/openapi.json`, as `#/components/schemas/Manifest`.",
    "",
    "A manifest is refused with `MANIFEST_INVALID` (HTTP 422). `params.problems` then lists everything that is",
    "wrong with it, `params.warnings` what would not have kept it from being taken; each is",
    "`{pointer, code, detail?}`, with an RFC 6901 pointer into the manifest. In the tables, _problem_ is the `code`",
    "that comes when the field is missing though it is required, or does not fit. Where an object was expected",
    "and something else stands, it is `not_an_object`.",
    "",
    "Members that are not listed are taken, kept and hashed. Which tools and scopes there are is in",
    "[tools.md](tools.md), what an `input_schema` may say in",
    "[the profile](../app/contract/json-schema/README.md#the-profile).",
    "",
    ...section("The manifest itself", ManifestSchema, false),
    ...section("Each of `tools`", ManifestToolSchema),
    "## Each of `permission_scopes`",
    "",
    ...fields("A preset scope", PresetScopeSchema),
    ...fields("Any other scope", OwnScopeSchema),
    ...section("`capability_flags`", CapabilityFlagsSchema),
    "## What no field alone shows",
    "",
    ...words("problem", BEYOND_SCHEMA),
    "## Warnings",
    "",
    ...words("warning", WARNED_OF),
  ].join("\n");

function section(title: string, schema: TSchema, isDeep = true): readonly string[] {
  return [`## ${title}`, "", ...rows(schema, isDeep)];
}

const fields = (title: string, schema: TSchema): readonly string[] => [
  `${title}:`,
  "",
  ...rows(schema, true),
];

function rows(schema: TSchema, isDeep: boolean): readonly string[] {
  const all = fieldsOf(schema as Described).filter(({ name }) => isDeep || !/[.[]/.test(name));
  return table(
    ["field", "type", "required", "meaning", "problem"],
    all.map(({ name, type, isRequired, meaning, problem }) => [
      code(name),
      type,
      isRequired ? "yes" : "",
      meaning,
      problem === "" ? "" : code(problem),
    ]),
  );
}

const words = (what: string, told: Readonly<Record<string, string>>): readonly string[] =>
  table(
    [what, "when"],
    Object.entries(told).map(([word, when]) => [code(word), when]),
  );
