import { PairingAnswer, PairingRequest } from "../../app/protocol/v1/rest.ts";
import type { Pairings } from "../pairing/pairings.ts";
import { manifestBytesIn } from "../rest/member-text.ts";
import { countIn, created, ok, type Route, route, routeWithBody } from "../rest/route.ts";

/** Below the 30 s many HTTP clients give up after. */
const WAIT_AT_MOST_MS = 25_000;

export const pairingRoutes = (pairings: Pairings): readonly Route[] => [
  routeWithBody(
    "POST",
    "/pairings",
    "none",
    PairingRequest,
    async (asked, { body }) => created(await pairings.request(asked, manifestBytesIn(body))),
    "MANIFEST_TOO_LARGE",
  ),
  route("GET", "/pairings", "person", ({ asker }) => ok(pairings.waiting(asker.id))),
  route("GET", "/pairings/:id", "pairing", async (request) => {
    const waitMs = () => Math.min(countIn(request, "wait_ms"), WAIT_AT_MOST_MS);
    const { bearer, signal } = request;
    return ok(await pairings.state(request.param("id"), bearer, waitMs, signal));
  }),
  route("DELETE", "/pairings/:id", "pairing", (request) => {
    pairings.withdraw(request.param("id"), request.bearer);
    return ok({ status: "withdrawn" });
  }),
  routeWithBody(
    "POST",
    "/pairings/:id/answer",
    "person",
    PairingAnswer,
    async ({ accept, granted_scopes }, request) => {
      const answered = await pairings.answer(
        request.asker,
        request.param("id"),
        accept,
        granted_scopes,
      );
      if (answered.status === "refused") return ok(answered);
      return ok({ ...answered.agent, ...answered.relation });
    },
  ),
];
