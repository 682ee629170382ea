import { type AgentDetails, shownName } from "../../app/bridge/agent-views.ts";

type Named = Pick<AgentDetails, "agent_id" | "name" | "petname">;

/** What the person wants of the program's own conversation. */
export type SystemRequest =
  /** A new manifest; null: for an agent that they still have to choose. */
  { readonly kind: "manifest"; readonly agent_id: string | null } | { readonly kind: "unknown" };

/** In the pages' languages. */
const MANIFEST = /manifest|清单|能力声明/i;

const plain = (text: string): string => text.normalize("NFKC").toLowerCase();

/** Reads a sentence such as “Update DemoBot’s manifest” or “更新 DemoBot 的 Capability Manifest”. */
export function systemRequest(text: string, agents: readonly Named[]): SystemRequest {
  const said = plain(text);
  if (!MANIFEST.test(said)) return { kind: "unknown" };
  const named = agents
    .filter((agent) => [agent.name, shownName(agent)].some((name) => said.includes(plain(name))))
    // “Demo” is also in “DemoBot”.
    .sort((one, other) => shownName(other).length - shownName(one).length);
  const [first, second] = named;
  const isOne = first !== undefined && !(second && plain(second.name) === plain(first.name));
  return { kind: "manifest", agent_id: isOne ? first.agent_id : null };
}
