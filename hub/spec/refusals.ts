import type { Refusals, Route } from "../rest/route.ts";

/** Whatever is asked, in this order; what an endpoint says itself comes behind. */
export const OF_EVERY_ENDPOINT = {
  BAD_REQUEST: "There are two `Host`s: `params.fault` is `host`.",
  FOREIGN_HOST: "`Host` is missing, or not the hub's own address.",
  FOREIGN_ORIGIN: "There is an `Origin`.",
  NOT_FOUND: "There is no such path.",
  METHOD_NOT_ALLOWED: "The path has no such method; `Allow` says which it has.",
  RATE_LIMITED: "The address asked 3,000 times in a minute, or its person or agent 1,200 times.",
  BODY_TOO_LARGE:
    "The body has over 262,144 bytes. Where it carries a manifest it is `MANIFEST_TOO_LARGE`.",
  UNAVAILABLE: "The hub cannot reach its database: ask again after `params.retry_after` seconds.",
  INTERNAL: "The hub failed. Nothing was changed.",
} as const satisfies Refusals;

/** Of every endpoint that takes a manifest. */
export const MANIFEST_REFUSALS = {
  MANIFEST_INVALID: "The manifest breaks a rule: `params.problems`.",
  MANIFEST_TOO_LARGE: "The manifest has over 131,072 bytes, or the body over 262,144.",
  OVERLOADED: "No time to look at the manifest's schemas: `params.retry_after`, in seconds.",
} as const satisfies Refusals;
export const SCOPE_UNKNOWN = "One of the scopes is not in the manifest: `params.scopes`.";

/** Of every endpoint that takes a token: the last two only an agent's, and only an owner's. */
export const OF_EVERY_TOKEN = {
  UNAUTHENTICATED: "There is no token, it belongs to nobody who may ask here, or it has expired.",
  AGENT_REMOVED: "The token is that of an agent the person has removed.",
  FORBIDDEN: "The endpoint is for owners of the hub, and the person is none.",
} as const satisfies Refusals;
/** Of every endpoint that takes a body. */
export const OF_EVERY_BODY =
  "The body is not strict JSON or not of this endpoint's form: `params.fault`.";

/** What this endpoint answers besides `OF_EVERY_ENDPOINT`, in the order in which it looks. */
export function refusalsOf({ method, path, auth, spec }: Route): Refusals {
  const own = spec.refusals ?? {};
  const { UNAUTHENTICATED, AGENT_REMOVED, FORBIDDEN } = OF_EVERY_TOKEN;
  const who = {
    ...(auth === "none" ? {} : { UNAUTHENTICATED }),
    ...(auth === "member" ? { AGENT_REMOVED } : {}),
    ...(auth === "owner" ? { FORBIDDEN } : {}),
  };
  if (method === "PATCH" && path === "/agents/:id") return { ...who, ...own };
  const { BAD_REQUEST: fault, ...others } = own;
  const faults = [
    ...(spec.body === undefined ? [] : [OF_EVERY_BODY]),
    ...(fault === undefined ? [] : [fault]),
  ];
  const form = faults.length === 0 ? {} : { BAD_REQUEST: faults.join(" ") };
  if (auth !== "pairing") return { ...who, ...form, ...others };
  // One that is gone has no token.
  const { NOT_FOUND, ...rest } = others;
  return { ...(NOT_FOUND === undefined ? {} : { NOT_FOUND }), ...who, ...form, ...rest };
}
