import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../json.ts";
import { type Holding, SUBSCHEMA_KEYWORDS } from "./keyword-shapes.ts";
import { repairForAjv } from "./repair-for-ajv.ts";
import { resolveTarget, type Target } from "./resolve-target.ts";
import { pointerTo, type SchemaIndex, type SchemaNode, usesUnevaluated } from "./schema-index.ts";

/** What Ajv is to see as it was written. Any other word of an agent's stays away from it. */
const ASSERTIONS: readonly string[] = [
  ...["type", "const", "enum", "multipleOf"],
  ...["maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"],
  ...["maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems"],
  ...["maxContains", "minContains", "maxProperties", "minProperties"],
  ...["required", "dependentRequired"],
];
/** Nothing is checked against these: a definition counts where something refers to it. */
const NOT_APPLIED: readonly string[] = ["$defs", "definitions", "contentSchema"];
const APPLIED: readonly (readonly [keyword: string, Holding])[] = [...SUBSCHEMA_KEYWORDS].filter(
  ([keyword]) => !NOT_APPLIED.includes(keyword),
);
/** What may note down evaluated members in one branch and not in another. */
const BRANCHING: readonly string[] = ["anyOf", "oneOf", "if", "dependentSchemas"];
/** Definitions after `$dynamicRef` has multiplied them, one for each scope it can be met in. */
const MAX_DEFINITIONS = 1_024;

/** Which subschema each dynamic anchor means from here on: the outermost met (core §8.2.3.2). */
type Bindings = ReadonlyMap<string, string>;

/** `$dynamicRef` can be met in more scopes than are worth telling apart. */
export class TooManyScopesError extends Error {
  override readonly name = "TooManyScopesError";
}

/**
 * The same schema in the words that Ajv decides as the dialect says; README.md lists each step with
 * its reason.
 *
 * @param index of a schema inside the profile
 * @throws TooManyScopesError past `MAX_DEFINITIONS`
 */
export function normaliseForAjv(index: SchemaIndex): JsonValue {
  return new Normaliser(index).whole();
}

class Normaliser {
  readonly #index: SchemaIndex;
  readonly #targets: ReadonlySet<string>;
  readonly #notesEvaluated: boolean;
  /** Pointer and bindings of a definition, as one text, to its number. */
  readonly #numbers = new Map<string, number>();
  readonly #definitions: (readonly [pointer: string, bindings: Bindings])[] = [];

  constructor(index: SchemaIndex) {
    this.#index = index;
    this.#targets = targetsOf(index);
    this.#notesEvaluated = usesUnevaluated(index);
  }

  whole(): JsonValue {
    const root = this.#place("", new Map());
    const $defs: JsonValue[] = [];
    // Copying a definition may add others.
    for (const [pointer, bindings] of this.#definitions) $defs.push(this.#copy(pointer, bindings));
    return isJsonObject(root) && $defs.length > 0 ? { ...root, $defs: { ...$defs } } : root;
  }

  /** A subschema where it stands: itself, or a reference when others refer to it as well. */
  #place(pointer: string, bindings: Bindings): JsonValue {
    return this.#targets.has(pointer)
      ? { $ref: this.#refer(pointer, bindings) }
      : this.#copy(pointer, bindings);
  }

  #refer(pointer: string, outer: Bindings): string {
    const bindings = entered(this.#index.nodes.get(pointer), outer);
    const key = JSON.stringify([pointer, ...bindings]);
    const known = this.#numbers.get(key);
    const number = known ?? this.#numbers.size;
    if (known === undefined) {
      if (number >= MAX_DEFINITIONS) throw new TooManyScopesError();
      this.#numbers.set(key, number);
      this.#definitions.push([pointer, bindings]);
    }
    return `#/$defs/${number}`;
  }

  #copy(pointer: string, outer: Bindings): JsonValue {
    const node = this.#index.nodes.get(pointer);
    const schema = node?.schema;
    // Every pointer asked for was indexed; were one not, nothing would pass.
    if (node === undefined || !isJsonObject(schema)) return schema === true;
    const bindings = entered(node, outer);
    const copy: Record<string, JsonValue> = {};
    if (this.#notesEvaluated && BRANCHING.some((keyword) => Object.hasOwn(schema, keyword))) {
      copy.noteEvaluated = true;
    }
    for (const keyword of ASSERTIONS) {
      const value = ownValue(schema, keyword);
      if (value !== undefined) copy[keyword] = value;
    }
    for (const [keyword, holding] of APPLIED) {
      const value = ownValue(schema, keyword);
      if (value === undefined) continue;
      copy[keyword] = this.#held(value, holding, pointerTo(pointer, keyword), bindings);
    }
    return repairForAjv(this.#withReferences(copy, node, bindings));
  }

  #held(value: JsonValue, holding: Holding, pointer: string, bindings: Bindings): JsonValue {
    if (holding === "schema") return this.#place(pointer, bindings);
    const members = Object.keys(value ?? {}).map(
      (key) => [key, this.#place(pointerTo(pointer, key), bindings)] as const,
    );
    return holding === "map" ? Object.fromEntries(members) : members.map(([, member]) => member);
  }

  #withReferences(copy: JsonObject, node: SchemaNode, bindings: Bindings): JsonObject {
    const [$ref, second] = referencesOf(this.#index, node).map(({ pointer, dynamicName }) =>
      this.#refer((dynamicName && bindings.get(dynamicName)) ?? pointer, bindings),
    );
    if ($ref === undefined) return copy;
    if (second === undefined) return { ...copy, $ref };
    const allOf = Array.isArray(copy.allOf) ? copy.allOf : [];
    return { ...copy, $ref, allOf: [...allOf, { $ref: second }] };
  }
}

/** The bindings inside a subschema: entering a resource binds its names that are still free. */
function entered(node: SchemaNode | undefined, outer: Bindings): Bindings {
  const names = [...(node?.resource.dynamicAnchors ?? [])].filter(([name]) => !outer.has(name));
  return names.length === 0 ? outer : new Map([...outer, ...names]);
}

/** Where `$ref` and `$dynamicRef` of one subschema lead; a `$ref` has no name to look up again. */
function referencesOf(index: SchemaIndex, { schema, resource }: SchemaNode): readonly Target[] {
  if (!isJsonObject(schema)) return [];
  const targets: Target[] = [];
  for (const keyword of ["$ref", "$dynamicRef"]) {
    const reference = ownValue(schema, keyword);
    if (typeof reference !== "string") continue;
    const target = resolveTarget(index, resource, reference);
    // The profile has been checked; were a reference to lead nowhere, nothing would be compiled.
    if (target === undefined) throw new TypeError("reference was not checked");
    targets.push(keyword === "$ref" ? { ...target, dynamicName: undefined } : target);
  }
  return targets;
}

/** Every subschema that something refers to, or may refer to in some dynamic scope. */
function targetsOf(index: SchemaIndex): ReadonlySet<string> {
  const targets = new Set<string>();
  for (const node of index.nodes.values()) {
    for (const { pointer } of referencesOf(index, node)) targets.add(pointer);
  }
  for (const { dynamicAnchors } of index.resources.values()) {
    for (const pointer of dynamicAnchors.values()) targets.add(pointer);
  }
  return targets;
}
