import type { HubParts } from "../hub-parts.ts";
import { Refusal } from "../refusal.ts";
import { refuseRemoved } from "../relations/removed.ts";
import { requirePerson } from "../rest/serve-rest.ts";
import type { Subject } from "../sessions/session.ts";
import { AGENT_TOKEN_PREFIX, hashToken } from "../tokens/bearer-token.ts";

/** Who asks, where an agent may as well as the person. @throws Refusal UNAUTHENTICATED, AGENT_REMOVED */
export async function subjectOf(parts: HubParts, bearer: string | undefined): Promise<Subject> {
  if (bearer?.startsWith(AGENT_TOKEN_PREFIX) !== true) {
    await requirePerson(parts, bearer);
    return { id: parts.userId, type: "human" };
  }
  const agent = parts.agents.withTokenHash(hashToken(bearer));
  if (agent === undefined) throw new Refusal("UNAUTHENTICATED");
  refuseRemoved(parts, agent.agent_id);
  return { id: agent.agent_id, type: "agent" };
}
