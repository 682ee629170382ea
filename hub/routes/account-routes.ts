import { InvitationCreate, SignInRequest } from "../../app/protocol/v1/account-rest.ts";
import type { Accounts } from "../accounts/accounts.ts";
import { created, ok, type Route, route, routeWithBody } from "../rest/route.ts";

export const accountRoutes = (accounts: Accounts): readonly Route[] => [
  route("POST", "/auth/challenge", "none", async () => ok(await accounts.challenge())),
  routeWithBody("POST", "/auth/token", "none", SignInRequest, async (asked) =>
    ok(await accounts.signIn(asked)),
  ),
  routeWithBody("POST", "/people/invitations", "owner", InvitationCreate, async (invited) =>
    created(await accounts.invite(invited)),
  ),
  route("GET", "/people", "owner", async () => ok(await accounts.list())),
  route("POST", "/people/:id/suspend", "owner", async (request) =>
    ok(await accounts.setStatus(request.param("id"), "suspended")),
  ),
  route("POST", "/people/:id/restore", "owner", async (request) =>
    ok(await accounts.setStatus(request.param("id"), "active")),
  ),
  route("DELETE", "/people/:id", "owner", async (request) =>
    ok(await accounts.remove(request.param("id"))),
  ),
];
