import { RelationAnswer, RelationsAnswer } from "../../app/protocol/v1/answers.ts";
import { RelationCreate, RelationUpdate } from "../../app/protocol/v1/rest.ts";
import { relationView } from "../relations/relation-frames.ts";
import type { Relations } from "../relations/relations.ts";
import { created, ok, type Route, route, routeWithBody } from "../rest/route.ts";
import { SCOPE_UNKNOWN } from "../spec/refusals.ts";
import { SAMPLE } from "../spec/samples.ts";

const RELATION = { data: RelationAnswer, dataExample: SAMPLE.relation };
const LIVING = { NOT_FOUND: "There is no such relation, or it is revoked." };

export const relationRoutes = (relations: Relations): readonly Route[] => [
  route(
    "GET",
    "/h2a/relations",
    "person",
    {
      summary: "All relations of the person",
      data: RelationsAnswer,
      dataExample: [SAMPLE.relation],
    },
    async ({ asker }) => ok((await relations.list(asker)).map(relationView)),
  ),
  routeWithBody(
    "POST",
    "/h2a/relations",
    "person",
    {
      summary: "The person adds an agent with these scopes",
      body: RelationCreate,
      bodyExample: {
        agent_id: SAMPLE.relation.agent_id,
        granted_scopes: ["filesystem:read"],
        capability_manifest_version: 1,
      },
      status: 201,
      orOk: "The relation was active already",
      ...RELATION,
      refusals: {
        NOT_FOUND: "There is no such agent.",
        MANIFEST_CHANGED:
          "`capability_manifest_version` is not that of the present manifest, which `params` has under the same name.",
        SCOPE_UNKNOWN,
      },
    },
    async (wanted, { asker }) => {
      const { relation, isNew } = await relations.create(asker, wanted);
      return (isNew ? created : ok)(relationView(relation));
    },
  ),
  routeWithBody(
    "PATCH",
    "/h2a/relations/:id",
    "person",
    {
      summary: "Other scopes; with a manifest version, the answer to a breaking change",
      body: RelationUpdate,
      bodyExample: { granted_scopes: ["filesystem:read"], capability_manifest_version: 2 },
      ...RELATION,
      refusals: {
        BAD_REQUEST:
          "`capability_manifest_version`: the agent has no manifest of that version yet.",
        ...LIVING,
        SCOPE_UNKNOWN,
      },
    },
    async (update, request) =>
      ok(relationView(await relations.update(request.asker, request.param("id"), update))),
  ),
  route(
    "POST",
    "/h2a/relations/:id/suspend",
    "person",
    { summary: "Nothing goes between the two", ...RELATION, refusals: LIVING },
    async (request) =>
      ok(relationView(await relations.setStatus(request.asker, request.param("id"), "suspended"))),
  ),
  route(
    "POST",
    "/h2a/relations/:id/restore",
    "person",
    { summary: "It does again", ...RELATION, refusals: LIVING },
    async (request) =>
      ok(relationView(await relations.setStatus(request.asker, request.param("id"), "active"))),
  ),
  route(
    "DELETE",
    "/h2a/relations/:id",
    "person",
    {
      summary: "The person removes the agent",
      ...RELATION,
      refusals: { NOT_FOUND: "There is no such relation." },
    },
    async (request) => ok(relationView(await relations.revoke(request.asker, request.param("id")))),
  ),
];
