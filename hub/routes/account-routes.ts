import Type from "typebox";
import {
  ChallengeAnswer,
  InvitationCreate,
  InvitationCreated,
  PersonView,
  SignedIn,
  SignInRequest,
} from "../../app/protocol/v1/account-rest.ts";
import type { Accounts } from "../accounts/accounts.ts";
import { created, invisible, ok, type Route, route, routeWithBody } from "../rest/route.ts";
import { SAMPLE } from "../spec/samples.ts";

const JWT = "eyJhbGciOiJIUzI1NiJ9";
const PERSON = {
  data: PersonView,
  dataExample: SAMPLE.person,
  refusals: { NOT_FOUND: "There is no such account." },
};

export const accountRoutes = (accounts: Accounts): readonly Route[] => [
  route(
    "POST",
    "/auth/challenge",
    "none",
    {
      summary: "A text that a person's device signs to be let in",
      data: ChallengeAnswer,
      dataExample: { challenge: JWT, hub: SAMPLE.hub, expires_at: SAMPLE.time },
    },
    async () => ok(await accounts.challenge()),
  ),
  routeWithBody(
    "POST",
    "/auth/token",
    "none",
    {
      summary: "An access token for the device that signed; with an invitation, the first time",
      body: SignInRequest,
      bodyExample: {
        identity_card: SAMPLE.keys.identity_card,
        challenge: JWT,
        signature: `${"A".repeat(86)}==`,
      },
      data: SignedIn,
      dataExample: {
        user_id: SAMPLE.ids.user_id,
        role: "member",
        access_token: JWT,
        expires_in: 300,
      },
      refusals: {
        BAD_REQUEST: "`identity_card`: it cannot be read, or its signature does not hold.",
        UNAUTHENTICATED:
          "The challenge is not the hub's or over, the signature does not hold, or there is no account of this key.",
        INVITATION_INVALID:
          "The invitation was used by another key, is over, or is none, or the card's id is taken.",
        ACCOUNT_SUSPENDED: "An owner of the hub has suspended the account.",
      },
    },
    async (asked) => ok(await accounts.signIn(asked)),
  ),
  routeWithBody(
    "POST",
    "/people/invitations",
    "owner",
    {
      summary: "An owner of the hub invites a person; the invitation works once",
      body: InvitationCreate,
      bodyExample: { name: "Ada" },
      status: 201,
      data: InvitationCreated,
      dataExample: {
        invitation: `hsi_${"0".repeat(40)}`,
        name: "Ada",
        role: "member",
        expires_at: SAMPLE.time,
      },
      refusals: { BAD_REQUEST: invisible("name") },
    },
    async (invited) => created(await accounts.invite(invited)),
  ),
  route(
    "GET",
    "/people",
    "owner",
    {
      summary: "Who has an account at the hub",
      data: Type.Array(PersonView),
      dataExample: [SAMPLE.person],
    },
    async () => ok(await accounts.list()),
  ),
  route(
    "POST",
    "/people/:id/suspend",
    "owner",
    { summary: "The person is cut off, and let in no more", ...PERSON },
    async (request) => ok(await accounts.setStatus(request.param("id"), "suspended")),
  ),
  route(
    "POST",
    "/people/:id/restore",
    "owner",
    { summary: "The person is let in again", ...PERSON },
    async (request) => ok(await accounts.setStatus(request.param("id"), "active")),
  ),
  route(
    "DELETE",
    "/people/:id",
    "owner",
    { summary: "The account is gone, and its relations are revoked", ...PERSON },
    async (request) => ok(await accounts.remove(request.param("id"))),
  ),
];
