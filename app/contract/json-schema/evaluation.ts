import type { JsonValue } from "../json.ts";
import type { Resource } from "./schema-index.ts";

/** Where a value broke its schema. Never the value: arguments hold secrets (contract §6). */
export interface SchemaViolation {
  /** RFC 6901 JSON Pointer into the value. */
  readonly pointer: string;
  readonly keyword: string;
}

/** Where in the instance an evaluation is; the root has none. */
export interface InstancePath {
  readonly parent: InstancePath | undefined;
  readonly key: string | number;
}

/** The schema resources entered on the way here, innermost first (2020-12 core §7.1). */
export interface DynamicScope {
  readonly resource: Resource;
  readonly outer: DynamicScope | undefined;
}

/** One validation under way. */
export interface Run {
  /** Subschemas being applied inside one another now. */
  depth: number;
  scope: DynamicScope | undefined;
  /** The failure seen last; meaningless when the whole validation succeeds. */
  violation: { readonly path: InstancePath | undefined; readonly keyword: string } | undefined;
}

/** What one application of a subschema hands to its keywords. */
export interface Visit {
  readonly run: Run;
  readonly path: InstancePath | undefined;
  /** Present only where the schema uses `unevaluated*` at all. */
  readonly seen: Evaluated | undefined;
}

/** One keyword with its value bound. False: it failed, and `violation` says where. */
export type KeywordCheck = (value: JsonValue, visit: Visit) => boolean;

/** One subschema. On success it tells `outer` what it evaluated. */
export type NodeCheck = (
  value: JsonValue,
  run: Run,
  path: InstancePath | undefined,
  outer: Evaluated | undefined,
) => boolean;

/** Members of the instance that successful subschemas have looked at (core §11). */
export class Evaluated {
  allItems = false;
  allProperties = false;
  readonly items = new Set<number>();
  readonly properties = new Set<string>();

  add(other: Evaluated): void {
    this.allItems ||= other.allItems;
    this.allProperties ||= other.allProperties;
    for (const item of other.items) this.items.add(item);
    for (const property of other.properties) this.properties.add(property);
  }
}

export function fail(keyword: string, visit: Visit): false {
  visit.run.violation = { path: visit.path, keyword };
  return false;
}

/** An assertion that needs nothing but the value. */
export const assertion =
  (keyword: string, holds: (value: JsonValue) => boolean): KeywordCheck =>
  (value, visit) =>
    holds(value) || fail(keyword, visit);
