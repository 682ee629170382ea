import { agentIdIn } from "../../app/contract/agent-link.ts";
import { pageQuery } from "../page-address.ts";
import { useFragment } from "../use-fragment.ts";

/** The id of the agent that a link came with, as the address has it (`#/agents?add=…`); else "". */
export function useLinkedAgent(): string {
  const query = new URLSearchParams(pageQuery(useFragment()));
  return agentIdIn(query.get("add") ?? "") ?? "";
}
