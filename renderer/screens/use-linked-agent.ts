import { useEffect, useState } from "react";
import { agentIdIn } from "../../app/contract/agent-link.ts";
import { pageQuery } from "../page-address.ts";

const linkedAgent = (fragment: string): string =>
  agentIdIn(new URLSearchParams(pageQuery(fragment)).get("add") ?? "") ?? "";

/** The id of the agent that a link came with, as the address has it (`#/agents?add=…`); else "". */
export function useLinkedAgent(): string {
  const [linked, setLinked] = useState(() => linkedAgent(window.location.hash));
  useEffect(() => {
    const end = new AbortController();
    const follow = (): void => setLinked(linkedAgent(window.location.hash));
    window.addEventListener("hashchange", follow, { signal: end.signal });
    return () => end.abort();
  }, []);
  return linked;
}
