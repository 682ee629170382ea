import type { Subject } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { Refusal } from "../refusal.ts";
import type { AccessTokens } from "../tokens/access-token.ts";
import { AGENT_TOKEN_PREFIX, hashToken } from "../tokens/bearer-token.ts";

/**
 * Who makes the request, by its token.
 * @param may whether agents may ask as well as the person
 * @throws Refusal UNAUTHENTICATED, AGENT_REMOVED
 */
export type SubjectOf = (bearer: string | undefined, may: "person" | "member") => Promise<Subject>;

export const subjectBy =
  (storage: Pick<HubStorage, "userId" | "agentWithToken">, accessTokens: AccessTokens): SubjectOf =>
  async (bearer = "", may) => {
    if (may === "member" && bearer.startsWith(AGENT_TOKEN_PREFIX)) {
      const holder = await storage.agentWithToken(hashToken(bearer));
      if (holder === undefined) throw new Refusal("UNAUTHENTICATED");
      if (holder.isRemoved) throw new Refusal("AGENT_REMOVED");
      return { id: holder.agent_id, type: "agent" };
    }
    const id = await accessTokens.verify(bearer);
    if (id !== storage.userId) throw new Refusal("UNAUTHENTICATED");
    return { id, type: "human" };
  };
