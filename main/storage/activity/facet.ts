import { hash } from "node:crypto";
import { catalogueEntry } from "../../../app/contract/catalogue.ts";
import { type CarriedOut, endingOf } from "../../../app/contract/tool-call.ts";

/** Stands in a facet for a name that the agent made up. */
export const ODD = "";

/** An outcome, or a row of the log that contains one. */
export interface FacetSource {
  readonly agent_id: string;
  readonly tool_name: string;
  readonly scope: string;
  readonly decided_by: string;
  readonly status: string;
  readonly reason: string | null;
  readonly carried_out?: CarriedOut;
}

/** What a line can be filtered by. */
export interface Facet {
  readonly agent_id: string;
  /** A tool of the catalogue, or `ODD`. */
  readonly tool_name: string;
  /** That tool's scope in the catalogue, or `ODD`. */
  readonly scope: string;
  readonly ending: string;
  readonly decided_by: string;
}

/**
 * A refused call contains whatever tool and scope the agent wrote. Only pairs from the client's own
 * catalogue become facets, so that their number is limited by the agents that the person added.
 */
export function facetOf(record: FacetSource): Facet {
  const entry = catalogueEntry(record.tool_name);
  return {
    agent_id: record.agent_id,
    tool_name: entry === undefined ? ODD : record.tool_name,
    scope: entry?.scope === record.scope ? record.scope : ODD,
    ending: endingOf(record),
    decided_by: record.decided_by,
  };
}

/** Names that the facet does not contain, for `odd_names`. */
export function oddNamesOf(
  facet: Pick<Facet, "tool_name" | "scope">,
  record: Pick<FacetSource, "tool_name" | "scope">,
): readonly number[] {
  const heads: number[] = [];
  if (facet.tool_name === ODD) heads.push(toolHead(record.tool_name));
  if (facet.scope === ODD) heads.push(scopeHead(record.scope));
  return heads;
}

export const toolHead = (name: string): number => head(`tool ${name}`);
export const scopeHead = (name: string): number => head(`scope ${name}`);

/** The first 48 bits; after looking up by them, the text itself must be compared. */
const HEAD_DIGITS = 12;

const head = (text: string): number => digestHead(hash("sha256", text));

/** @param digest lowercase hex; anything else gives 0 */
export const digestHead = (digest: string): number =>
  /^[0-9a-f]{12}/.test(digest) ? Number.parseInt(digest.slice(0, HEAD_DIGITS), 16) : 0;
