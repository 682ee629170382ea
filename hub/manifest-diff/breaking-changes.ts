import { canonicalJson } from "../../app/contract/digest.ts";
import { isJsonObject, type JsonValue } from "../../app/contract/json.ts";
import { type Manifest, manifestScope, manifestTool } from "../../app/contract/manifest.ts";
import { SENSITIVITIES } from "../../app/contract/scopes.ts";
import type { BreakingChange } from "../../app/protocol/v1/breaking-change.ts";
import {
  child,
  keywordChanges,
  type LocatedSchema,
  locatedRoot,
  type SchemaChange,
  withReferences,
} from "./keyword-changes.ts";

/**
 * What in a new manifest breaks consent given to the old one: the table of contract §8, nothing
 * more. Tools are matched by name and scopes by id; a new tool breaks only through a new scope.
 */
export function breakingChanges(before: Manifest, after: Manifest): BreakingChange[] {
  const changes = [...scopeChanges(before, after), ...toolChanges(before, after)];
  return changes.map((change) => ({ ...change, breaking: true }));
}

type Change = Omit<BreakingChange, "breaking">;

function scopeChanges(before: Manifest, after: Manifest): Change[] {
  return after.permission_scopes.flatMap((scope, index): Change[] => {
    const old = manifestScope(before, scope.id);
    const pointer = `/permission_scopes/${index}`;
    if (old === undefined) return [{ pointer, kind: "scope_added", scope: scope.id, tool: null }];
    if (scope.sensitivity === old.sensitivity) return [];
    const isRaised = rank(scope.sensitivity) > rank(old.sensitivity);
    // Lowered too: the person agreed to a permission that asks more often (contract §7).
    const kind = isRaised ? "tool_sensitivity_raised" : "scope_sensitivity_lowered";
    return [{ pointer: `${pointer}/sensitivity`, kind, scope: scope.id, tool: null }];
  });
}

function toolChanges(before: Manifest, after: Manifest): Change[] {
  const budget: Budget = { left: PAIRS_AT_MOST };
  return after.tools.flatMap((tool, index): Change[] => {
    const old = manifestTool(before, tool.name);
    if (old === undefined) return [];
    const scope = tool.permission_scope;
    const pointer = `/tools/${index}`;
    const about = { scope, tool: tool.name };
    const moved: Change[] =
      scope !== old.permission_scope &&
      scopeRank(after, scope) > scopeRank(before, old.permission_scope)
        ? [{ pointer: `${pointer}/permission_scope`, kind: "tool_sensitivity_raised", ...about }]
        : [];
    const inSchema = schemaChanges(
      locatedRoot(old.input_schema, `/tools/${before.tools.indexOf(old)}/input_schema`),
      locatedRoot(tool.input_schema, `${pointer}/input_schema`),
      budget,
    );
    return [...moved, ...inSchema.map((change) => ({ ...change, ...about }))];
  });
}

const rank = (sensitivity: (typeof SENSITIVITIES)[number]): number =>
  SENSITIVITIES.indexOf(sensitivity);

/** A checked manifest has an entry for every scope its tools name; without one, the lowest. */
const scopeRank = (manifest: Manifest, id: string): number =>
  rank(manifestScope(manifest, id)?.sensitivity ?? "low");

/** Keywords of Draft 2020-12 that hold one subschema, a map of them, or a list of them. */
const ONE = [
  "items",
  "contains",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
  "contentSchema",
] as const;
const MAPS = [
  "properties",
  "patternProperties",
  "dependentSchemas",
  "$defs",
  "definitions",
] as const;
/** Of `ONE`, those that hold for the same value as their parent (`if` alone demands nothing). */
const DEMANDS = ["then", "else"] as const;
const LISTS = ["prefixItems", "allOf", "anyOf", "oneOf"] as const;

/**
 * How many pairs of subschemas one comparison of manifests may look at. More than any manifest of
 * 128 KiB holds; only references in circles of different lengths go past it.
 */
const PAIRS_AT_MOST = 20_000;

interface Budget {
  left: number;
}

/**
 * The breaking rows of contract §8 that concern a tool's `input_schema`, at any depth of it. A
 * schema too entangled to be compared within the budget counts as changed: consent is asked again.
 */
function schemaChanges(
  before: LocatedSchema,
  after: LocatedSchema,
  budget: Budget = { left: PAIRS_AT_MOST },
): SchemaChange[] {
  const changes = new Map<string, SchemaChange>();
  // A list, not recursion: references make a schema deeper than the stack.
  const pairs: Pair[] = [pair(before, after)];
  const seen = new Set<string>();
  for (let next = pairs.pop(); next !== undefined; next = pairs.pop()) {
    const { old, now, isAdded } = next;
    const key = `${old.pointer}\n${now.pointer}\n${isAdded}`;
    // Each pair once: references may be circular, and definitions can be reached in two ways.
    if (seen.has(key)) continue;
    seen.add(key);
    if (budget.left === 0) return [{ pointer: after.pointer, kind: "type_changed" }];
    budget.left -= 1;
    const oldChain = withReferences(old);
    const nowChain = withReferences(now);
    for (const change of keywordChanges(oldChain, nowChain, isAdded)) {
      changes.set(`${change.kind}\n${change.pointer}`, change);
    }
    const inner = [...childPairs(oldChain, nowChain), ...addedDemands(old, oldChain, nowChain)];
    pairs.push(...inner.map((each) => (isAdded ? { ...each, isAdded } : each)).reverse());
  }
  return [...changes.values()];
}

interface Pair {
  readonly old: LocatedSchema;
  readonly now: LocatedSchema;
  /** `now` did not replace `old`, but is an additional constraint. */
  readonly isAdded: boolean;
}
const pair = (old: LocatedSchema, now: LocatedSchema): Pair => ({ old, now, isAdded: false });

type Chain = readonly LocatedSchema[];

/**
 * Subschemas that exist on both sides. One that is only new (an optional property, a branch) is no
 * row of the table.
 */
function* childPairs(old: Chain, now: Chain): Generator<Pair> {
  for (const keyword of ONE) yield* paired(old, now, keyword);
  // As booleans they say open or closed, which is a row of its own and no change of type.
  for (const each of paired(old, now, "additionalProperties")) {
    if (isJsonObject(each.old.value) && isJsonObject(each.now.value)) yield each;
  }
  for (const keyword of MAPS) {
    for (const key of keysUnder(now, keyword)) yield* paired(old, now, keyword, key);
  }
  for (const keyword of LISTS) yield* listPairs(old, now, keyword);
}

function* paired(old: Chain, now: Chain, ...path: readonly string[]): Generator<Pair> {
  const oldChild = firstChild(old, path);
  const nowChild = firstChild(now, path);
  if (oldChild !== undefined && nowChild !== undefined) yield pair(oldChild, nowChild);
}

/**
 * Subschemas that are new and hold for the same value as their parent: what they demand, the parent
 * demands now, so they are compared with what it was before. Else a required property would only
 * have to be written into a new `allOf`.
 */
function* addedDemands(oldParent: LocatedSchema, old: Chain, now: Chain): Generator<Pair> {
  for (const keyword of DEMANDS) {
    if (firstChild(old, [keyword]) !== undefined) continue;
    const added = firstChild(now, [keyword]);
    if (added !== undefined) yield { old: oldParent, now: added, isAdded: true };
  }
  for (const key of keysUnder(now, "dependentSchemas")) {
    if (firstChild(old, ["dependentSchemas", key]) !== undefined) continue;
    const added = firstChild(now, ["dependentSchemas", key]);
    if (added !== undefined) yield { old: oldParent, now: added, isAdded: true };
  }
  const { left, right } = openMembers(old, now, "allOf");
  for (const added of right.slice(left.length)) yield { old: oldParent, now: added, isAdded: true };
}

function firstChild(chain: Chain, path: readonly string[]): LocatedSchema | undefined {
  for (const link of chain) {
    const found = child(link, ...path);
    if (found !== undefined) return found;
  }
  return undefined;
}

function keysUnder(chain: Chain, keyword: string): Set<string> {
  const keys = new Set<string>();
  for (const link of chain) {
    const map = child(link, keyword)?.value;
    if (isJsonObject(map)) for (const key of Object.keys(map)) keys.add(key);
  }
  return keys;
}

/** Unchanged members are removed first, so that merely moving a branch is not a change. */
function* listPairs(old: Chain, now: Chain, keyword: (typeof LISTS)[number]): Generator<Pair> {
  const { left, right } = openMembers(old, now, keyword);
  for (const [index, oldItem] of left.entries()) {
    const nowItem = right[index];
    if (nowItem !== undefined) yield pair(oldItem, nowItem);
  }
}

function openMembers(
  old: Chain,
  now: Chain,
  keyword: (typeof LISTS)[number],
): { readonly left: readonly LocatedSchema[]; readonly right: readonly LocatedSchema[] } {
  const oldItems = membersOf(firstChild(old, [keyword]));
  const nowItems = membersOf(firstChild(now, [keyword]));
  // Positions matter in `prefixItems` only.
  if (keyword === "prefixItems") return { left: oldItems, right: nowItems };
  const [left, right] = withoutEqual(oldItems, nowItems);
  return { left, right };
}

function membersOf(list: LocatedSchema | undefined): LocatedSchema[] {
  if (list === undefined || !Array.isArray(list.value)) return [];
  return list.value.map((value: JsonValue, index) => ({
    value,
    pointer: `${list.pointer}/${index}`,
    root: list.root,
  }));
}

function withoutEqual(
  old: readonly LocatedSchema[],
  now: readonly LocatedSchema[],
): [LocatedSchema[], LocatedSchema[]] {
  const nowTexts = new Set(now.map(textOf));
  const oldTexts = new Set(old.map(textOf));
  // A branch that is a reference may look the same and mean something else.
  const isSettled = (item: LocatedSchema, others: ReadonlySet<string>): boolean =>
    others.has(textOf(item)) && !textOf(item).includes('"$ref"');
  return [
    old.filter((item) => !isSettled(item, nowTexts)),
    now.filter((item) => !isSettled(item, oldTexts)),
  ];
}

const textOf = (schema: LocatedSchema): string => canonicalJson(schema.value);
