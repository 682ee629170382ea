import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../app/contract/json.ts";
import { pointerTo } from "../../app/contract/json-schema/schema-index.ts";
import type { Manifest } from "../../app/contract/manifest.ts";
import { breakingChanges } from "./breaking-changes.ts";

const SCOPE = "filesystem:read";
const ROOT = "/tools/0/input_schema";

const manifestOf = (input_schema: JsonObject): Manifest => ({
  schema_version: "1.0",
  agent_version: "1.0.0",
  tools: [{ name: "tool", description_i18n_key: "d", input_schema, permission_scope: SCOPE }],
  permission_scopes: [{ id: SCOPE, label_i18n_key: "l", sensitivity: "medium" }],
});

/** The smallest schema every edit can be made to, and something that is not about the edit. */
const leaf = fc
  .record({ title: fc.string(), kept: fc.constantFrom("string", "integer", "null") })
  .map(({ title, kept }) => ({
    title,
    type: "object",
    required: ["kept"],
    properties: {
      kept: { type: kept },
      choice: { enum: ["a", "b", { c: 1 }] },
    },
  }));
type Leaf = JsonObject & { readonly properties: JsonObject };

interface Edit {
  readonly kind: string;
  /** From the leaf to what changed, in the new schema or (for what was removed) in the old. */
  readonly at: string;
  apply(schema: Leaf): JsonObject;
}
const EDITS: readonly Edit[] = [
  {
    kind: "required_added",
    at: "/required/1",
    apply: (schema) => ({ ...schema, required: ["kept", "choice"] }),
  },
  {
    kind: "required_added",
    at: "/allOf/0/required/0",
    apply: (schema) => ({ ...schema, allOf: [{ required: ["choice"] }] }),
  },
  {
    kind: "type_changed",
    at: "/properties/kept/type",
    apply: (schema) => ({
      ...schema,
      properties: { ...schema.properties, kept: { type: "boolean" } },
    }),
  },
  {
    kind: "type_changed",
    at: "/type",
    apply: (schema) => ({ ...schema, type: "array" }),
  },
  {
    kind: "additional_properties_closed",
    at: "/additionalProperties",
    apply: (schema) => ({ ...schema, additionalProperties: false }),
  },
  {
    kind: "additional_properties_closed",
    at: "/allOf/0/additionalProperties",
    apply: (schema) => ({ ...schema, allOf: [{ additionalProperties: false }] }),
  },
  {
    kind: "enum_value_removed",
    at: "/properties/choice/enum/2",
    apply: (schema) => ({
      ...schema,
      properties: { ...schema.properties, choice: { enum: ["b", "a"] } },
    }),
  },
];

/** A place one level up: how it holds a subschema, and where. */
interface Place {
  readonly at: string;
  wrap(inner: JsonValue): JsonObject;
}
const one = (keyword: string): Place => ({
  at: `/${keyword}`,
  wrap: (inner) => ({ [keyword]: inner }),
});
const listed = (keyword: string, before: number): Place => ({
  at: `/${keyword}/${before}`,
  wrap: (inner) => ({ [keyword]: [...Array.from({ length: before }, () => ({})), inner] }),
});
const named = (keyword: string, key: string): Place => ({
  at: pointerTo("", keyword, key),
  wrap: (inner) => ({ [keyword]: { [key]: inner } }),
});
const place = fc.oneof(
  fc
    .constantFrom("items", "additionalProperties", "not", "if", "then", "else", "contains")
    .map(one),
  fc
    .tuple(fc.constantFrom("prefixItems", "allOf", "anyOf", "oneOf"), fc.nat({ max: 3 }))
    .map(([keyword, before]) => listed(keyword, before)),
  fc
    .tuple(
      fc.constantFrom("properties", "patternProperties", "dependentSchemas"),
      fc.constantFrom("x", "a/b~c", "required", "__proto__x", ""),
    )
    .map(([keyword, key]) => named(keyword, key)),
);
const places = fc.array(place, { maxLength: 6 });

/** `inner` under all the places; with `byReference`, it stands in `$defs` and may hold itself. */
function schemaWith(where: readonly Place[], inner: JsonObject, byReference: boolean): JsonObject {
  const held: JsonValue = byReference ? { $ref: "#/$defs/held" } : inner;
  const tree = where.reduceRight<JsonObject>((schema, { wrap }) => wrap(schema), held);
  if (!byReference) return where.length === 0 ? inner : { type: "object", ...tree };
  const recursive = { ...inner, contains: { $ref: "#/$defs/held" } };
  return { type: "object", properties: { root: tree }, $defs: { held: recursive } };
}

/** A schema, an edit of it, the places around both, and whether a reference leads there. */
const edited = [leaf, fc.constantFrom(...EDITS), places, fc.boolean()] as const;

test("each breaking edit is found where it was made, and nothing besides", () => {
  fc.assert(
    fc.property(...edited, (old, edit, where, isRef) => {
      const before = manifestOf(schemaWith(where, old, isRef));
      const after = manifestOf(schemaWith(where, edit.apply(old), isRef));
      const inside = isRef ? "/$defs/held" : where.map(({ at }) => at).join("");
      expect(breakingChanges(before, after)).toEqual([
        {
          pointer: ROOT + inside + edit.at,
          kind: edit.kind,
          breaking: true,
          scope: SCOPE,
          tool: "tool",
        },
      ]);
    }),
    { numRuns: 500 },
  );
});

test("several edits in several tools are all found", () => {
  const several = fc.array(fc.tuple(leaf, fc.constantFrom(...EDITS), places), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(several, (all) => {
      const side = (isNew: boolean): Manifest => {
        const manifest = manifestOf({});
        const [tool] = manifest.tools;
        if (tool === undefined) throw new TypeError("the sample has a tool");
        const tools = all.map(([old, edit, where], index) => ({
          ...tool,
          name: `tool_${index}`,
          input_schema: schemaWith(where, isNew ? edit.apply(old) : old, false),
        }));
        // The order of tools says nothing.
        return { ...manifest, tools: isNew ? tools : tools.toReversed() };
      };
      const found = breakingChanges(side(false), side(true)).map(({ kind }) => kind);
      expect(found).toEqual(all.map(([, { kind }]) => kind));
    }),
  );
});

/** Another text of the same meaning: keys, `required`, `enum` and branches in another order. */
function reordered(value: JsonValue, key = ""): JsonValue {
  if (Array.isArray(value)) {
    const isOrdered = key === "prefixItems";
    const members = value.map((member: JsonValue) =>
      key === "enum" || key === "required" ? member : reordered(member),
    );
    return isOrdered ? members : members.toReversed();
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => {
    const isText = name === "title" && typeof member === "string";
    return [name, isText ? `${member}, said again` : reordered(member, name)] as const;
  });
  return Object.fromEntries(entries.toReversed());
}

test("another order and other words are no change, and neither are looser demands", () => {
  fc.assert(
    fc.property(...edited, (old, edit, where, isRef) => {
      const before = manifestOf(schemaWith(where, old, isRef));
      const text = schemaWith(where, { ...old, title: "said again" }, isRef);
      expect(breakingChanges(before, manifestOf(text))).toEqual([]);
      const moved = reordered(schemaWith(where, old, isRef)) as JsonObject;
      const titled = where.some(({ at }) => /^\/(allOf|anyOf|oneOf)/.test(at));
      // A branch that was both moved and reworded is no longer known by its text.
      if (!titled) expect(breakingChanges(before, manifestOf(moved))).toEqual([]);
      if (edit.kind === "type_changed") return;
      const tight = manifestOf(schemaWith(where, edit.apply(old), isRef));
      expect(breakingChanges(tight, before)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
