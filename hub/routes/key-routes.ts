import Type from "typebox";
import {
  IdentityCardAnswer,
  KeysStateAnswer,
  LedgerEntriesAnswer,
  LedgerLength,
  PrekeyBundleAnswer,
} from "../../app/protocol/v1/answers.ts";
import { KeysPublish, LedgerAppend } from "../../app/protocol/v1/key-rest.ts";
import type { KeyDirectory } from "../keys/key-directory.ts";
import { countIn, created, ok, type Route, route, routeWithBody } from "../rest/route.ts";
import { SAMPLE } from "../spec/samples.ts";

const STATE = { data: KeysStateAnswer, dataExample: SAMPLE.keysState };
const RATE_LIMITED =
  "An agent has asked for keys 60 times in a minute, a person for this owner's: `params.retry_after_ms`.";

export const keyRoutes = (keys: KeyDirectory): readonly Route[] => [
  routeWithBody(
    "PUT",
    "/keys/mine",
    "member",
    {
      summary: "An owner, agent or person, publishes its keys",
      body: KeysPublish,
      bodyExample: { ...SAMPLE.keys, one_time_prekeys: [SAMPLE.oneTimePrekey] },
      ...STATE,
      refusals: {
        BAD_REQUEST:
          "`identity_card` or `prekeys`: they cannot be read, or have another length than such keys.",
        FORBIDDEN: "The card is somebody else's, or has another key than the account.",
        RATE_LIMITED:
          "An agent's tenth new identity in an hour was before: `params.retry_after_ms`.",
      },
    },
    async (body, request) => ok(await keys.publish(request.asker, body)),
  ),
  route(
    "GET",
    "/keys/mine",
    "member",
    {
      summary: "Which keys the hub has of the one who asks",
      ...STATE,
      refusals: { NOT_FOUND: "Nothing was published yet." },
    },
    async (request) => ok(await keys.state(request.asker)),
  ),
  route(
    "GET",
    "/keys/:owner_id",
    "member",
    {
      summary: "The identity card of somebody one shares a conversation with",
      data: IdentityCardAnswer,
      dataExample: { owner_id: SAMPLE.ids.agent_id, identity_card: SAMPLE.keys.identity_card },
      refusals: {
        RATE_LIMITED,
        NOT_FOUND: "There is no such owner, nothing was published, or no conversation is shared.",
      },
    },
    async (request) => ok(await keys.identity(request.asker, request.param("owner_id"))),
  ),
  route(
    "POST",
    "/keys/:owner_id/bundle",
    "member",
    {
      summary: "What begins a session with them; takes a one-time prekey away",
      data: PrekeyBundleAnswer,
      dataExample: { bundle: SAMPLE.keys.identity_card },
      refusals: {
        RATE_LIMITED,
        NOT_FOUND: "As for `GET /keys/:owner_id`, and while no prekeys were published.",
      },
    },
    async (request) => ok(await keys.bundle(request.asker, request.param("owner_id"))),
  ),
  route(
    "GET",
    "/h2a/relations/:id/ledger",
    "member",
    {
      summary: "The grants and revocations the person signed, for both ends to check",
      query: { from: Type.Integer({ minimum: 0, maximum: 999_999_999 }) },
      data: LedgerEntriesAnswer,
      dataExample: { entries: [SAMPLE.oneTimePrekey], length: 1 },
      refusals: {
        BAD_REQUEST: "`from`: it is no number of at most nine digits.",
        NOT_FOUND: "There is no such relation, or it is between others.",
      },
    },
    async (request) =>
      ok(await keys.ledger(request.asker, request.param("id"), countIn(request, "from"))),
  ),
  routeWithBody(
    "POST",
    "/h2a/relations/:id/ledger",
    "person",
    {
      summary: "The person appends a signed entry",
      body: LedgerAppend,
      bodyExample: { index: 0, entry: SAMPLE.oneTimePrekey },
      status: 201,
      data: LedgerLength,
      dataExample: { length: 1 },
      refusals: {
        BAD_REQUEST: "`entry`: it is no base64.",
        NOT_FOUND: "There is no such relation.",
        LEDGER_CONFLICT: "The entry is not the next one, or the ledger is full: `params.length`.",
      },
    },
    async (body, request) => created(await keys.append(request.asker, request.param("id"), body)),
  ),
];
