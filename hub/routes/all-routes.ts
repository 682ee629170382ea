import type { Accounts } from "../accounts/accounts.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { KeyDirectory } from "../keys/key-directory.ts";
import type { Messages } from "../messages/messages.ts";
import type { Pairings } from "../pairing/pairings.ts";
import type { Agents } from "../registry/agents.ts";
import type { Relations } from "../relations/relations.ts";
import { document, ok, type Route, route } from "../rest/route.ts";
import { asyncApi } from "../spec/asyncapi.ts";
import { openApi } from "../spec/openapi.ts";
import { accountRoutes } from "./account-routes.ts";
import { agentRoutes } from "./agent-routes.ts";
import { conversationRoutes } from "./conversation-routes.ts";
import { keyRoutes } from "./key-routes.ts";
import { pairingRoutes } from "./pairing-routes.ts";
import { relationRoutes } from "./relation-routes.ts";

/** What the hub is about, by its endpoints. */
export interface Domain {
  readonly accounts: Accounts;
  readonly pairings: Pairings;
  readonly agents: Agents;
  readonly relations: Relations;
  readonly keys: KeyDirectory;
  readonly conversations: Conversations;
  readonly messages: Messages;
}

export const allRoutes = (domain: Domain): readonly Route[] =>
  specRoutes([
    route("GET", "/health", "none", () => ok({ status: "ok" })),
    ...accountRoutes(domain.accounts),
    ...pairingRoutes(domain.pairings),
    ...agentRoutes(domain.agents),
    ...relationRoutes(domain.relations),
    ...keyRoutes(domain.keys),
    ...conversationRoutes(domain.conversations, domain.messages),
  ]);

/** The hub describes itself: these routes and all the others, and the frames. */
function specRoutes(others: readonly Route[]): readonly Route[] {
  const routes: readonly Route[] = [
    ...others,
    route("GET", "/openapi.json", "none", () => document(openApi(routes))),
    route("GET", "/asyncapi.json", "none", () => document(asyncApi())),
  ];
  return routes;
}
