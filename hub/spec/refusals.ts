import type { HubErrorCode } from "../../app/protocol/v1/rest.ts";
import type { Route } from "../rest/route.ts";
import { OPERATIONS } from "./operations.ts";

/** Which codes come, and when. */
export type Refusals = Readonly<Partial<Record<HubErrorCode, string>>>;

/** Whatever is asked, in this order; what an endpoint says itself comes behind. */
export const OF_EVERY_ENDPOINT = {
  BAD_REQUEST: "There are two `Host`s: `params.fault` is `host`.",
  FOREIGN_HOST: "`Host` is missing, or not the hub's own address.",
  FOREIGN_ORIGIN: "There is an `Origin`.",
  NOT_FOUND: "There is no such path.",
  METHOD_NOT_ALLOWED: "The path has no such method; `Allow` says which it has.",
  BODY_TOO_LARGE:
    "The body has over 262,144 bytes. Where it carries a manifest it is `MANIFEST_TOO_LARGE`.",
  INTERNAL: "The hub failed. Nothing was changed.",
} as const satisfies Refusals;

const MANIFEST = {
  MANIFEST_INVALID: "The manifest breaks a rule: `params.problems`.",
  MANIFEST_TOO_LARGE: "The manifest has over 131,072 bytes, or the body over 262,144.",
  OVERLOADED: "No time to look at the manifest's schemas: `params.retry_after`, in seconds.",
} as const satisfies Refusals;

const RELATED = {
  NOT_FOUND:
    "The agent that asks has no active relation with one of `user_ids`: `params.user_ids`.",
  NOT_RELATED:
    "The person who asks has no active relation with one of `agent_ids`, or the agent with nobody: `params`.",
  GROUPS_UNSUPPORTED: "An agent's manifest has `supports_group_chat: false`: `params.agent_ids`.",
} as const satisfies Refusals;

const MEMBER = {
  NOT_FOUND: "There is no such conversation, or the one who asks is no active member of it.",
} as const satisfies Refusals;
const GROUP = {
  ...MEMBER,
  NOT_A_GROUP: "It is a conversation of two.",
} as const satisfies Refusals;

const invisible = (what: "name" | "title") =>
  `\`nothing_visible\`: the ${what} has no visible character.`;
const WEBHOOK_FAULT = "`webhook_url`: there is one without `webhook`, or `webhook` without one.";
const WEBHOOK_URL =
  "`params.fault`: `not_a_url`; `not_https` (`http:` is for loopback alone); `has_credentials`; `private_address` (it names an address that is neither public nor loopback). Names are looked up at each delivery, which goes nowhere while they lead there.";
const NO_ACCOUNT = "There is no such account.";
const OTHERS_AGENT = "Another person registered or paired the agent.";
const LIVING_RELATION = "There is no such relation, or it is revoked.";
const KEYS_ASKED =
  "An agent has asked for keys 60 times in a minute, a person for this owner's: `params.retry_after_ms`.";

/** Besides those of every endpoint, and those that `refusalsOf` adds by what the route is. */
const OWN: Readonly<Record<string, Refusals>> = {
  "POST /auth/token": {
    BAD_REQUEST: "`identity_card`: it cannot be read, or its signature does not hold.",
    UNAUTHENTICATED:
      "The challenge is not the hub's or over, the signature does not hold, or there is no account of this key.",
    INVITATION_INVALID:
      "The invitation was used by another key, is over, or is none, or the card's id is taken.",
    ACCOUNT_SUSPENDED: "An owner of the hub has suspended the account.",
  },
  "POST /people/invitations": { BAD_REQUEST: invisible("name") },
  "POST /people/:id/suspend": { NOT_FOUND: NO_ACCOUNT },
  "POST /people/:id/restore": { NOT_FOUND: NO_ACCOUNT },
  "DELETE /people/:id": { NOT_FOUND: NO_ACCOUNT },
  "POST /pairings": {
    BAD_REQUEST: `${invisible("name")} \`identity_card\`: the card cannot be read, its id is taken or of another form than the hub's, or its level is not the one in \`encryption\`.`,
    TOO_MANY_PAIRINGS: "Three pairings wait for this person's answer.",
    NOT_FOUND: "There is nobody with this `user_id`.",
    ...MANIFEST,
  },
  "GET /pairings/:id": {
    BAD_REQUEST: "`wait_ms`: it is no number of at most nine digits.",
    NOT_FOUND: "There is no such pairing, or not any more.",
  },
  "DELETE /pairings/:id": {
    NOT_FOUND: "There is no such pairing, or not any more.",
    PAIRING_EXPIRED: "Its five minutes are over.",
    PAIRING_CLOSED: "It is answered or withdrawn.",
  },
  "POST /pairings/:id/answer": {
    BAD_REQUEST: "`identity_card`: meanwhile another agent was added under the card's id.",
    NOT_FOUND: "There is no such pairing, or not any more.",
    PAIRING_EXPIRED: "Its five minutes are over.",
    PAIRING_CLOSED: "It is answered or withdrawn.",
    SCOPE_UNKNOWN: "One of the scopes is not in the manifest: `params.scopes`.",
  },
  "POST /agents": {
    BAD_REQUEST: `${invisible("name")} ${WEBHOOK_FAULT}`,
    WEBHOOK_URL_REFUSED: WEBHOOK_URL,
    ...MANIFEST,
  },
  "GET /agents/:id": { NOT_FOUND: "There is no such agent." },
  "PATCH /agents/:id": {
    NOT_FOUND: "A person asked, and there is no such agent.",
    FORBIDDEN: OTHERS_AGENT,
    BAD_REQUEST: `There is a \`connection_mode\`, and the body does not go with it: \`params.fault\`. ${WEBHOOK_FAULT}`,
    WEBHOOK_URL_REFUSED: WEBHOOK_URL,
    ...MANIFEST,
  },
  "POST /agents/:id/manifest-preview": {
    NOT_FOUND: "There is no such agent.",
    FORBIDDEN: OTHERS_AGENT,
    ...MANIFEST,
  },
  "POST /h2a/relations": {
    NOT_FOUND: "There is no such agent.",
    MANIFEST_CHANGED:
      "`capability_manifest_version` is not that of the present manifest, which `params` has under the same name.",
    SCOPE_UNKNOWN: "One of the scopes is not in the manifest: `params.scopes`.",
  },
  "PATCH /h2a/relations/:id": {
    BAD_REQUEST: "`capability_manifest_version`: the agent has no manifest of that version yet.",
    NOT_FOUND: LIVING_RELATION,
    SCOPE_UNKNOWN: "One of the scopes is not in the manifest: `params.scopes`.",
  },
  "POST /h2a/relations/:id/suspend": { NOT_FOUND: LIVING_RELATION },
  "POST /h2a/relations/:id/restore": { NOT_FOUND: LIVING_RELATION },
  "DELETE /h2a/relations/:id": { NOT_FOUND: "There is no such relation." },
  "PUT /keys/mine": {
    BAD_REQUEST:
      "`identity_card` or `prekeys`: they cannot be read, or have another length than such keys.",
    FORBIDDEN: "The card is somebody else's, or has another key than the account.",
    RATE_LIMITED: "An agent's tenth new identity in an hour was before: `params.retry_after_ms`.",
  },
  "GET /keys/mine": { NOT_FOUND: "Nothing was published yet." },
  "GET /keys/:owner_id": {
    RATE_LIMITED: KEYS_ASKED,
    NOT_FOUND: "There is no such owner, nothing was published, or no conversation is shared.",
  },
  "POST /keys/:owner_id/bundle": {
    RATE_LIMITED: KEYS_ASKED,
    NOT_FOUND: "As for `GET /keys/:owner_id`, and while no prekeys were published.",
  },
  "GET /h2a/relations/:id/ledger": {
    BAD_REQUEST: "`from`: it is no number of at most nine digits.",
    NOT_FOUND: "There is no such relation, or it is between others.",
  },
  "POST /h2a/relations/:id/ledger": {
    BAD_REQUEST: "`entry`: it is no base64.",
    NOT_FOUND: "There is no such relation.",
    LEDGER_CONFLICT: "The entry is not the next one, or the ledger is full: `params.length`.",
  },
  "POST /conversations": {
    BAD_REQUEST: invisible("title"),
    TOO_MANY_GROUPS: "The agent has made 32 groups that still go on.",
    ...RELATED,
  },
  "GET /conversations/:id": MEMBER,
  "PATCH /conversations/:id": { BAD_REQUEST: invisible("title"), ...GROUP },
  "POST /conversations/:id/members": {
    ...GROUP,
    ...RELATED,
    NOT_FOUND: `${MEMBER.NOT_FOUND} ${RELATED.NOT_FOUND}`,
    GROUP_FULL: "The group would have over 500 members.",
  },
  "DELETE /conversations/:id/members/:member_id": {
    ...GROUP,
    FORBIDDEN: "The one who asks does not own the group, and wants to remove somebody else.",
    NOT_FOUND: `${MEMBER.NOT_FOUND} Or the one to be removed is none.`,
  },
  "POST /conversations/:id/read": MEMBER,
  "POST /conversations/:id/messages": {
    NOT_A_MEMBER:
      "There is no such conversation, the one who asks is no active member of it, or there is nobody else in it.",
    VOICE_UNSUPPORTED:
      "A voice message, and an agent in the conversation has no `supports_voice: true` in its manifest.",
    HISTORY_FULL: "The person keeps no more of this agent's messages.",
    RATE_LIMITED:
      "The agent has sent 60 tool calls, or 8 MiB, in a minute: `params.retry_after_ms`.",
    RECIPIENT_QUEUE_FULL:
      "A recipient has 1,000 messages waiting in this conversation, or 16 MiB of the agent's wait in all.",
  },
};

const UNAUTHENTICATED = {
  owner: "There is no token, or it is no person's, or it has expired.",
  person: "There is no token, or it is no person's, or it has expired.",
  member: "There is no token, it belongs to nobody who may ask here, or it has expired.",
  pairing: "There is no token, or it is not this pairing's.",
} as const;
/** Of every endpoint that takes an agent's token. */
const REMOVED = {
  AGENT_REMOVED: "The token is that of an agent the person has removed.",
} as const satisfies Refusals;
const SHAPE = "The body is not strict JSON or not of this endpoint's form: `params.fault`.";

/** What this endpoint answers besides `OF_EVERY_ENDPOINT`, in the order in which it looks. */
export function refusalsOf(route: Pick<Route, "method" | "path" | "auth">): Refusals {
  const { method, path, auth } = route;
  const name = `${method} ${path}`;
  const own = OWN[name] ?? {};
  const who = {
    ...(auth === "none" ? {} : { UNAUTHENTICATED: UNAUTHENTICATED[auth] }),
    ...(auth === "member" ? REMOVED : {}),
    ...(auth === "owner" ? { FORBIDDEN: "The person does not own the hub." } : {}),
  };
  if (name === "PATCH /agents/:id") return { ...who, ...own };
  const { BAD_REQUEST: fault, ...others } = own;
  const hasBody = OPERATIONS[name]?.body !== undefined;
  const faults = [...(hasBody ? [SHAPE] : []), ...(fault === undefined ? [] : [fault])];
  const form = faults.length === 0 ? {} : { BAD_REQUEST: faults.join(" ") };
  if (auth !== "pairing") return { ...who, ...form, ...others };
  // One that is gone has no token.
  const { NOT_FOUND, ...rest } = others;
  return { ...(NOT_FOUND === undefined ? {} : { NOT_FOUND }), ...who, ...form, ...rest };
}
