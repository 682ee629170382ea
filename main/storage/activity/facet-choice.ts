import type { Database, Statement } from "better-sqlite3";
import type { LineFilter } from "./activity-filter.ts";
import { ODD, scopeHead, toolHead } from "./facet.ts";

/** The lines of one facet, or those of them with one odd name. */
export interface Strand {
  readonly facet_id: number;
  readonly agent_id: string;
  readonly ending: string;
  /** Null: every line of the facet. */
  readonly name_head: number | null;
}

interface FacetRow {
  readonly facet_id: number;
  readonly agent_id: string;
  readonly tool_name: string;
  readonly scope: string;
  readonly ending: string;
}

/** Whether facets cannot answer any part of the filter. */
export const wantsEveryFacet = (filter: LineFilter): boolean =>
  filter.agent_id == null &&
  filter.tool_name == null &&
  filter.scope == null &&
  filter.status == null &&
  filter.decided_by == null;

/** Finds the strands that contain everything a filter asks for. */
export class FacetChoice {
  readonly #facets: Statement<[object], FacetRow>;

  constructor(db: Database) {
    this.#facets = db.prepare(
      `SELECT facet_id, agent_id, tool_name, scope, ending FROM facets
       WHERE (@agent IS NULL OR agent_id = @agent)
         AND (@tool IS NULL OR tool_name IN (@tool, '${ODD}'))
         AND (@scope IS NULL OR scope IN (@scope, '${ODD}'))
         AND (@ending IS NULL OR ending = @ending)
         AND (@decided IS NULL OR decided_by = @decided)`,
    );
  }

  strandsOf(filter: LineFilter): readonly Strand[] {
    const found = this.#facets.all({
      agent: filter.agent_id ?? null,
      tool: filter.tool_name ?? null,
      scope: filter.scope ?? null,
      ending: filter.status ?? null,
      decided: filter.decided_by ?? null,
    });
    return found.map(({ facet_id, agent_id, ending, ...names }) => ({
      facet_id,
      agent_id,
      ending,
      name_head: headFor(names, filter),
    }));
  }
}

/** One odd name narrows enough; if there are two, the other is compared line by line. */
function headFor(
  facet: Pick<FacetRow, "tool_name" | "scope">,
  { tool_name, scope }: LineFilter,
): number | null {
  if (tool_name != null && facet.tool_name === ODD) return toolHead(tool_name);
  if (scope != null && facet.scope === ODD) return scopeHead(scope);
  return null;
}
