import { RelationCreate, RelationUpdate } from "../../app/protocol/v1/rest.ts";
import { relationView } from "../relations/relation-frames.ts";
import type { Relations } from "../relations/relations.ts";
import { created, ok, type Route, route, routeWithBody } from "../rest/route.ts";

export const relationRoutes = (relations: Relations): readonly Route[] => [
  route("GET", "/h2a/relations", "person", async ({ asker }) =>
    ok((await relations.list(asker)).map(relationView)),
  ),
  routeWithBody("POST", "/h2a/relations", "person", RelationCreate, async (wanted, { asker }) => {
    const { relation, isNew } = await relations.create(asker, wanted);
    return (isNew ? created : ok)(relationView(relation));
  }),
  routeWithBody("PATCH", "/h2a/relations/:id", "person", RelationUpdate, async (update, request) =>
    ok(relationView(await relations.update(request.asker, request.param("id"), update))),
  ),
  route("POST", "/h2a/relations/:id/suspend", "person", async (request) =>
    ok(relationView(await relations.setStatus(request.asker, request.param("id"), "suspended"))),
  ),
  route("POST", "/h2a/relations/:id/restore", "person", async (request) =>
    ok(relationView(await relations.setStatus(request.asker, request.param("id"), "active"))),
  ),
  route("DELETE", "/h2a/relations/:id", "person", async (request) =>
    ok(relationView(await relations.revoke(request.asker, request.param("id")))),
  ),
];
