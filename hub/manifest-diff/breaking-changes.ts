import { type Manifest, manifestScope, manifestTool } from "../../app/contract/manifest.ts";
import { SENSITIVITIES } from "../../app/contract/sensitivity.ts";
import type { BreakingChange } from "../../app/protocol/v1/breaking-change.ts";
import { locatedRoot } from "./located-schema.ts";
import { type Budget, PAIRS_AT_MOST, schemaChanges } from "./schema-changes.ts";

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
