import { guardOf } from "../../app/contract/checked.ts";
import { PairingAnswer, PairingRequest } from "../../app/protocol/v1/rest.ts";
import type { Pairings } from "../pairing/pairings.ts";
import { Refusal } from "../refusal.ts";
import {
  created,
  ok,
  pathParam,
  type RestRequest,
  type Route,
  routeWithBody,
} from "../rest/route.ts";
import { manifestBytesIn } from "./manifest-bytes.ts";

/** Below the 30 s many HTTP clients give up after. */
const WAIT_AT_MOST_MS = 25_000;

const isPairingRequest = guardOf(PairingRequest);
const isPairingAnswer = guardOf(PairingAnswer);

export function pairingRoutes(pairings: Pairings): readonly Route[] {
  return [
    routeWithBody({
      method: "POST",
      path: "/pairings",
      auth: "none",
      tooLarge: "MANIFEST_TOO_LARGE",
      isBody: isPairingRequest,
      handle: async (asked, { body }) =>
        created(await pairings.request(asked, manifestBytesIn(body))),
    }),
    {
      method: "GET",
      path: "/pairings",
      auth: "person",
      handle: () => ok(pairings.waiting()),
    },
    {
      method: "GET",
      path: "/pairings/:id",
      auth: "own",
      async handle(request) {
        const { bearer, signal } = request;
        const id = pathParam(request, "id");
        return ok(await pairings.state(id, bearer, waitMsOf(request), signal));
      },
    },
    {
      method: "DELETE",
      path: "/pairings/:id",
      auth: "own",
      handle(request) {
        pairings.withdraw(pathParam(request, "id"), request.bearer);
        return ok({ status: "withdrawn" });
      },
    },
    routeWithBody({
      method: "POST",
      path: "/pairings/:id/answer",
      auth: "person",
      isBody: isPairingAnswer,
      handle({ accept, granted_scopes }, request) {
        const answered = pairings.answer(pathParam(request, "id"), accept, granted_scopes);
        if (answered.status === "refused") return ok(answered);
        return ok({ ...answered.agent, ...answered.relation });
      },
    }),
  ];
}

function waitMsOf({ query }: RestRequest): number {
  const text = query.get("wait_ms") ?? "0";
  if (!/^\d{1,9}$/.test(text)) throw new Refusal("BAD_REQUEST", { fault: "wait_ms" });
  return Math.min(Number(text), WAIT_AT_MOST_MS);
}
