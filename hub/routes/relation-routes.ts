import { guardOf } from "../../app/contract/checked.ts";
import { RelationCreate, RelationUpdate } from "../../app/protocol/v1/rest.ts";
import { relationView } from "../relations/relation-frames.ts";
import type { Relations } from "../relations/relations.ts";
import {
  created,
  ok,
  pathParam,
  type RestRequest,
  type Route,
  route,
  routeWithBody,
} from "../rest/route.ts";

const idIn = (request: RestRequest): string => pathParam(request, "id");

export const relationRoutes = (relations: Relations): readonly Route[] => [
  route("GET", "/h2a/relations", "person", async () =>
    ok((await relations.list()).map(relationView)),
  ),
  routeWithBody(
    "POST",
    "/h2a/relations",
    "person",
    guardOf(RelationCreate),
    async ({ agent_id, granted_scopes }) => {
      const { relation, isNew } = await relations.create(agent_id, granted_scopes);
      return (isNew ? created : ok)(relationView(relation));
    },
  ),
  routeWithBody(
    "PATCH",
    "/h2a/relations/:id",
    "person",
    guardOf(RelationUpdate),
    async (update, request) => ok(relationView(await relations.update(idIn(request), update))),
  ),
  route("POST", "/h2a/relations/:id/suspend", "person", async (request) =>
    ok(relationView(await relations.setStatus(idIn(request), "suspended"))),
  ),
  route("POST", "/h2a/relations/:id/restore", "person", async (request) =>
    ok(relationView(await relations.setStatus(idIn(request), "active"))),
  ),
  route("DELETE", "/h2a/relations/:id", "person", async (request) =>
    ok(relationView(await relations.revoke(idIn(request)))),
  ),
];
