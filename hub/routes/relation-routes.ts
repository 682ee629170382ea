import { guardOf } from "../../app/contract/checked.ts";
import { RelationCreate, RelationUpdate } from "../../app/protocol/v1/rest.ts";
import type { HubParts } from "../hub-parts.ts";
import {
  createRelation,
  relationView,
  restoreRelation,
  revokeRelation,
  suspendRelation,
  updateRelation,
} from "../relations/relations.ts";
import { created, ok, pathParam, type Route, routeWithBody } from "../rest/route.ts";

const isRelationCreate = guardOf(RelationCreate);
const isRelationUpdate = guardOf(RelationUpdate);

export function relationRoutes(parts: HubParts): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/h2a/relations",
      auth: "person",
      handle: () =>
        ok(parts.relations.ofUser(parts.userId).map((each) => relationView(parts, each))),
    },
    routeWithBody({
      method: "POST",
      path: "/h2a/relations",
      auth: "person",
      isBody: isRelationCreate,
      handle: ({ agent_id, granted_scopes }) =>
        created(createRelation(parts, agent_id, granted_scopes)),
    }),
    routeWithBody({
      method: "PATCH",
      path: "/h2a/relations/:id",
      auth: "person",
      isBody: isRelationUpdate,
      handle: (update, request) => ok(updateRelation(parts, pathParam(request, "id"), update)),
    }),
    {
      method: "POST",
      path: "/h2a/relations/:id/suspend",
      auth: "person",
      handle: (request) => ok(suspendRelation(parts, pathParam(request, "id"))),
    },
    {
      method: "POST",
      path: "/h2a/relations/:id/restore",
      auth: "person",
      handle: (request) => ok(restoreRelation(parts, pathParam(request, "id"))),
    },
    {
      method: "DELETE",
      path: "/h2a/relations/:id",
      auth: "person",
      handle: (request) => ok(revokeRelation(parts, pathParam(request, "id"))),
    },
  ];
}
