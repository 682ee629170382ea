import { KeysPublish, LedgerAppend } from "../../app/protocol/v1/key-rest.ts";
import type { KeyDirectory } from "../keys/key-directory.ts";
import { countIn, created, ok, type Route, route, routeWithBody } from "../rest/route.ts";

export const keyRoutes = (keys: KeyDirectory): readonly Route[] => [
  routeWithBody("PUT", "/keys/mine", "member", KeysPublish, async (body, request) =>
    ok(await keys.publish(request.asker, body)),
  ),
  route("GET", "/keys/mine", "member", async (request) => ok(await keys.standing(request.asker))),
  route("GET", "/keys/:owner_id", "member", async (request) =>
    ok(await keys.identity(request.asker, request.param("owner_id"))),
  ),
  route("POST", "/keys/:owner_id/bundle", "member", async (request) =>
    ok(await keys.bundle(request.asker, request.param("owner_id"))),
  ),
  route("GET", "/h2a/relations/:id/ledger", "member", async (request) =>
    ok(await keys.ledger(request.asker, request.param("id"), countIn(request, "from"))),
  ),
  routeWithBody(
    "POST",
    "/h2a/relations/:id/ledger",
    "person",
    LedgerAppend,
    async (body, request) => created(await keys.append(request.asker, request.param("id"), body)),
  ),
];
