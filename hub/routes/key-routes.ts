import { guardOf } from "../../app/contract/checked.ts";
import { KeysPublish, LedgerAppend } from "../../app/protocol/v1/key-rest.ts";
import type { KeyDirectory } from "../keys/key-directory.ts";
import {
  askerOf,
  countIn,
  created,
  ok,
  pathParam,
  type Route,
  route,
  routeWithBody,
} from "../rest/route.ts";

export const keyRoutes = (keys: KeyDirectory): readonly Route[] => [
  routeWithBody("PUT", "/keys/mine", "member", guardOf(KeysPublish), async (body, request) =>
    ok(await keys.publish(askerOf(request), body)),
  ),
  route("GET", "/keys/mine", "member", async (request) =>
    ok(await keys.standing(askerOf(request))),
  ),
  route("GET", "/keys/:owner_id", "member", async (request) =>
    ok(await keys.identity(askerOf(request), pathParam(request, "owner_id"))),
  ),
  route("POST", "/keys/:owner_id/bundle", "member", async (request) =>
    ok(await keys.bundle(askerOf(request), pathParam(request, "owner_id"))),
  ),
  route("GET", "/h2a/relations/:id/ledger", "member", async (request) =>
    ok(await keys.ledger(askerOf(request), pathParam(request, "id"), countIn(request, "from"))),
  ),
  routeWithBody(
    "POST",
    "/h2a/relations/:id/ledger",
    "person",
    guardOf(LedgerAppend),
    async (body, request) =>
      created(await keys.append(askerOf(request), pathParam(request, "id"), body)),
  ),
];
