import { RelationCreate, RelationUpdate } from "../../app/protocol/v1/rest.ts";
import { relationView } from "../relations/relation-frames.ts";
import type { Relations } from "../relations/relations.ts";
import { created, ok, type Route, route, routeWithBody } from "../rest/route.ts";

export const relationRoutes = (relations: Relations): readonly Route[] => [
  route("GET", "/h2a/relations", "person", async () =>
    ok((await relations.list()).map(relationView)),
  ),
  routeWithBody("POST", "/h2a/relations", "person", RelationCreate, async (wanted) => {
    const { relation, isNew } = await relations.create(wanted);
    return (isNew ? created : ok)(relationView(relation));
  }),
  routeWithBody("PATCH", "/h2a/relations/:id", "person", RelationUpdate, async (update, request) =>
    ok(relationView(await relations.update(request.param("id"), update))),
  ),
  route("POST", "/h2a/relations/:id/suspend", "person", async (request) =>
    ok(relationView(await relations.setStatus(request.param("id"), "suspended"))),
  ),
  route("POST", "/h2a/relations/:id/restore", "person", async (request) =>
    ok(relationView(await relations.setStatus(request.param("id"), "active"))),
  ),
  route("DELETE", "/h2a/relations/:id", "person", async (request) =>
    ok(relationView(await relations.revoke(request.param("id")))),
  ),
];
