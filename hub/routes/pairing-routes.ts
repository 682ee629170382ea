import Type from "typebox";
import {
  PairingAnswered,
  PairingStateAnswer,
  PairingTicketAnswer,
  Withdrawn,
} from "../../app/protocol/v1/answers.ts";
import { PairingRequestedFrame } from "../../app/protocol/v1/frames.ts";
import { PairingAnswer, PairingRequest } from "../../app/protocol/v1/rest.ts";
import type { Pairings } from "../pairing/pairings.ts";
import { manifestBytesIn } from "../rest/member-text.ts";
import {
  countIn,
  created,
  invisible,
  ok,
  type Route,
  route,
  routeWithBody,
} from "../rest/route.ts";
import { MANIFEST_REFUSALS, SCOPE_UNKNOWN } from "../spec/refusals.ts";
import { SAMPLE } from "../spec/samples.ts";

/** Below the 30 s many HTTP clients give up after. */
const WAIT_AT_MOST_MS = 25_000;

const GONE = { NOT_FOUND: "There is no such pairing, or not any more." };
const OVER = {
  ...GONE,
  PAIRING_EXPIRED: "Its five minutes are over.",
  PAIRING_CLOSED: "It is answered or withdrawn.",
};

export const pairingRoutes = (pairings: Pairings): readonly Route[] => [
  routeWithBody(
    "POST",
    "/pairings",
    "none",
    {
      summary: "An unknown agent asks to be added",
      body: PairingRequest,
      bodyExample: {
        name: "Agent",
        capability_manifest: SAMPLE.manifest,
        identity_card: SAMPLE.keys.identity_card,
        encryption: "ratchet",
      },
      status: 201,
      data: PairingTicketAnswer,
      dataExample: SAMPLE.ticket,
      refusals: {
        BAD_REQUEST: `${invisible("name")} \`identity_card\`: the card cannot be read, its id is taken or of another form than the hub's, or its level is not the one in \`encryption\`.`,
        TOO_MANY_PAIRINGS: "Three pairings wait for this person's answer.",
        NOT_FOUND: "There is nobody with this `user_id`.",
        ...MANIFEST_REFUSALS,
      },
    },
    async (asked, { body }) => created(await pairings.request(asked, manifestBytesIn(body))),
  ),
  route(
    "GET",
    "/pairings",
    "person",
    {
      summary: "The pairings that wait for an answer",
      data: Type.Array(PairingRequestedFrame.properties.payload),
      dataExample: [SAMPLE.pairing],
    },
    async ({ asker }) => ok(await pairings.waiting(asker.id)),
  ),
  route(
    "GET",
    "/pairings/:id",
    "pairing",
    {
      summary: "How a pairing stands; with wait_ms, once there is something to say",
      query: { wait_ms: Type.Integer({ minimum: 0, maximum: 999_999_999 }) },
      data: PairingStateAnswer,
      dataExample: { status: "waiting" },
      refusals: { BAD_REQUEST: "`wait_ms`: it is no number of at most nine digits.", ...GONE },
    },
    async (request) => {
      const waitMs = () => Math.min(countIn(request, "wait_ms"), WAIT_AT_MOST_MS);
      const { bearer, signal } = request;
      return ok(await pairings.state(request.param("id"), bearer, waitMs, signal));
    },
  ),
  route(
    "DELETE",
    "/pairings/:id",
    "pairing",
    {
      summary: "The agent withdraws its pairing",
      data: Withdrawn,
      dataExample: { status: "withdrawn" },
      refusals: OVER,
    },
    async (request) => {
      await pairings.withdraw(request.param("id"), request.bearer);
      return ok({ status: "withdrawn" });
    },
  ),
  routeWithBody(
    "POST",
    "/pairings/:id/answer",
    "person",
    {
      summary: "The person accepts with these scopes, or refuses",
      body: PairingAnswer,
      bodyExample: { accept: true, granted_scopes: ["filesystem:read"] },
      data: PairingAnswered,
      dataExample: { ...SAMPLE.agent, ...SAMPLE.relation },
      refusals: {
        BAD_REQUEST: "`identity_card`: meanwhile another agent was added under the card's id.",
        ...OVER,
        SCOPE_UNKNOWN,
      },
    },
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
