import type { HubParts } from "../hub-parts.ts";
import type { Pairings } from "../pairing/pairings.ts";
import { ok, type Route } from "../rest/route.ts";
import { agentRoutes } from "./agent-routes.ts";
import { conversationRoutes } from "./conversation-routes.ts";
import { keyRoutes } from "./key-routes.ts";
import { pairingRoutes } from "./pairing-routes.ts";
import { relationRoutes } from "./relation-routes.ts";
import { specRoutes } from "./spec-routes.ts";

export const allRoutes = (parts: HubParts, pairings: Pairings): readonly Route[] =>
  specRoutes([
    { method: "GET", path: "/health", auth: "none", handle: () => ok({ status: "ok" }) },
    ...pairingRoutes(pairings),
    ...agentRoutes(parts),
    ...relationRoutes(parts),
    ...keyRoutes(parts),
    ...conversationRoutes(parts),
  ]);
