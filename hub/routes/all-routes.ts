import { Health } from "../../app/protocol/v1/answers.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { KeyDirectory } from "../keys/key-directory.ts";
import type { Messages } from "../messages/messages.ts";
import type { Pairings } from "../pairing/pairings.ts";
import type { Agents } from "../registry/agents.ts";
import type { Relations } from "../relations/relations.ts";
import { document, ok, type Route, route } from "../rest/route.ts";
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

export function allRoutes(domain: Domain): readonly Route[] {
  const routes: readonly Route[] = [
    route(
      "GET",
      "/health",
      "none",
      { summary: "Whether the hub runs", data: Health, dataExample: { status: "ok" } },
      () => ok({ status: "ok" }),
    ),
    ...accountRoutes(domain.accounts),
    ...pairingRoutes(domain.pairings),
    ...agentRoutes(domain.agents),
    ...relationRoutes(domain.relations),
    ...keyRoutes(domain.keys),
    ...conversationRoutes(domain.conversations, domain.messages),
    route("GET", "/openapi.json", "none", { summary: "This document", data: null }, () =>
      document(openApi(routes)),
    ),
  ];
  return routes;
}
