import { type JsonObject, ownValue } from "../json.ts";
import type { DynamicScope, KeywordCheck, NodeCheck } from "./evaluation.ts";
import { resolveTarget } from "./resolve-target.ts";
import type { Resource, SchemaIndex } from "./schema-index.ts";

/** Gives the check of the subschema at a pointer of the index. */
export type CheckAt = (pointer: string) => NodeCheck;

/** `$ref` and `$dynamicRef` (core §8.2.3). Both were shown to be local when the schema was read. */
export function referenceKeywords(
  schema: JsonObject,
  resource: Resource,
  index: SchemaIndex,
  checkAt: CheckAt,
): readonly KeywordCheck[] {
  const checks: KeywordCheck[] = [];
  for (const keyword of ["$ref", "$dynamicRef"]) {
    const reference = ownValue(schema, keyword);
    if (typeof reference !== "string") continue;
    const target = resolveTarget(index, resource, reference);
    if (target === undefined) throw new TypeError("reference was not checked");
    const { pointer, dynamicName } = target;
    checks.push(
      keyword === "$dynamicRef" && dynamicName !== undefined
        ? dynamic(dynamicName, checkAt(pointer), index, checkAt)
        : apply(checkAt(pointer)),
    );
  }
  return checks;
}

const apply =
  (check: NodeCheck): KeywordCheck =>
  (value, { run, path, seen }) =>
    check(value, run, path, seen);

/** The outermost resource of the dynamic scope that has the name wins (core §8.2.3.2). */
function dynamic(
  name: string,
  initial: NodeCheck,
  index: SchemaIndex,
  checkAt: CheckAt,
): KeywordCheck {
  const candidates = new Map<Resource, NodeCheck>();
  for (const resource of index.resources.values()) {
    const pointer = resource.dynamicAnchors.get(name);
    if (pointer !== undefined) candidates.set(resource, checkAt(pointer));
  }
  return (value, { run, path, seen }) => {
    let chosen = initial;
    for (let scope: DynamicScope | undefined = run.scope; scope; scope = scope.outer) {
      chosen = candidates.get(scope.resource) ?? chosen;
    }
    return chosen(value, run, path, seen);
  };
}
