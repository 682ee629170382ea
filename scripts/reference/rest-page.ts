import { HUB_ERRORS, type HubErrorCode } from "../../app/protocol/v1/rest.ts";
import type { Route } from "../../hub/rest/route.ts";
import { allRoutes, type Domain } from "../../hub/routes/all-routes.ts";
import { OPERATIONS } from "../../hub/spec/operations.ts";
import { OF_EVERY_ENDPOINT, type Refusals, refusalsOf } from "../../hub/spec/refusals.ts";
import { listItem } from "./describe-schema.ts";

// Creating routes does not access the domain; only their handlers would.
const routes = allRoutes({} as Domain);

/** docs/rest.md: which of the hub's answers occurs when. */
export const restPage = (): string =>
  [
    "# What the hub answers",
    "",
    "Each endpoint with the HTTP status of its success and the code of each refusal. Written by",
    "`npm run docs:reference`; a test provokes every one against a running hub. What goes in and comes out is in",
    "[the protocol](protocol.md#rest), and with every type and bound in a running hub's `/openapi.json`.",
    "",
    "The first thing that does not hold is the answer: what is below for every endpoint, in its order, then what",
    "the endpoint lists, in its order. The token is checked before the body is read. A conversation or a relation that",
    "is not the asker's gets the same `NOT_FOUND` as one that does not exist.",
    "`params.fault` is a fault of [strict JSON](protocol.md#strict-json), `body_schema` where the JSON is of",
    "another form, or the word that the entry names.",
    "",
    "The person's token is short-lived. `npm run --silent hub -- token --data-dir DIR` prints one for the owner's scripts;",
    "with it they register agents, replace manifests and add agents at the hub that runs. What they add has no permission in",
    "the client until the person has answered there.",
    "",
    "## Every endpoint",
    "",
    ...list(OF_EVERY_ENDPOINT),
    ...routes.flatMap(section),
  ].join("\n");

function whoAsks({ path, auth }: Route): string {
  if (auth === "none") return "Anybody may ask.";
  if (auth === "person") return "The person may ask.";
  if (auth === "pairing") return "Who has the pairing's own token may ask.";
  return path === "/agents/:id"
    ? "That agent and the person may ask."
    : "An agent and the person may ask.";
}

function section(route: Route): readonly string[] {
  const { method, path } = route;
  const { summary, status = 200, orOk } = OPERATIONS[`${method} ${path}`] ?? { summary: "" };
  const or = orOk === undefined ? "" : `, or 200: ${orOk.replace(/^The/, "the")}`;
  const refusals = refusalsOf(route);
  return [
    `## ${method} ${path}`,
    "",
    `${summary}. ${whoAsks(route)} Success is ${status}${or}.`,
    "",
    ...(Object.keys(refusals).length === 0 ? [] : list(refusals)),
  ];
}

const list = (refusals: Refusals): readonly string[] => [
  ...Object.entries(refusals).map(([word, when]) =>
    listItem(word, [String(HUB_ERRORS[word as HubErrorCode])], when),
  ),
  "",
];
