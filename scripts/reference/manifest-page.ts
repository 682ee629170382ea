import type { TSchema } from "typebox";
import {
  CapabilityFlagsSchema,
  ManifestSchema,
  ManifestToolSchema,
  OwnScopeSchema,
  PresetScopeSchema,
} from "../../app/contract/manifest.ts";
import { BEYOND_SCHEMA, WARNED_OF } from "../../app/contract/manifest-remarks.ts";
import { code, type Described, fieldsOf, listItem } from "./describe-schema.ts";

/** docs/manifest.md: an agent's manifest, and the hub's findings about it. */
export const manifestPage = (): string =>
  [
    "# The manifest",
    "",
    "What an agent says of itself when it is registered or paired, and whenever it changes. Written by",
    "`npm run docs:reference` from the schema that manifests are judged by",
    "([`manifest.ts`](../app/contract/manifest.ts)); a test fails when the two differ. A running hub",
    "has the same schema at `/openapi.json`, as `#/components/schemas/Manifest`.",
    "",
    "A manifest is refused with `MANIFEST_INVALID` (HTTP 422). `params.problems` then lists everything that is",
    "wrong with it, `params.warnings` what would not have kept it from being taken; each is",
    "`{pointer, code, detail?}`, with an RFC 6901 pointer into the manifest. In the lists, `?` marks a field that may be",
    "absent, and _else_ comes before the `code` of one that is missing or does not fit. Anything in the place of an",
    "object is `not_an_object`.",
    "",
    "Members that are not listed are taken, kept and hashed. Which tools and scopes there are is in",
    "[tools.md](tools.md), what an `input_schema` may say in",
    "[the profile](../app/contract/json-schema/README.md#the-profile).",
    "",
    ...section("The manifest itself", ManifestSchema, false),
    ...section("Each of `tools`", ManifestToolSchema),
    "## Each of `permission_scopes`",
    "",
    ...scopeFields(),
    ...section("`capability_flags`", CapabilityFlagsSchema),
    "## What no field alone shows",
    "",
    ...words(BEYOND_SCHEMA),
    "## Warnings",
    "",
    ...words(WARNED_OF),
  ].join("\n");

function section(title: string, schema: TSchema, isDeep = true): readonly string[] {
  return [`## ${title}`, "", ...list(schema, isDeep)];
}

/** Of a scope of its own, what a preset one has alike is only named. */
function scopeFields(): readonly string[] {
  const preset = list(PresetScopeSchema, true);
  const own = list(OwnScopeSchema, true).filter((item) => item === "" || !preset.includes(item));
  return [
    "A preset scope:",
    "",
    ...preset,
    "Any other scope has the same fields, but:",
    "",
    ...own,
  ];
}

function list(schema: TSchema, isDeep: boolean): readonly string[] {
  const all = fieldsOf(schema as Described).filter(({ name }) => isDeep || !/[.[]/.test(name));
  const items = all.map(({ name, type, isRequired, meaning, problem }) => {
    const facts = [type, problem === "" ? "" : `else ${code(problem)}`];
    return listItem(name, facts, meaning, isRequired ? "" : "?");
  });
  return [...items, ""];
}

const words = (told: Readonly<Record<string, string>>): readonly string[] => [
  ...Object.entries(told).map(([word, when]) => listItem(word, [], when)),
  "",
];
