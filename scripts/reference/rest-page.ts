import { HUB_ERRORS, type HubErrorCode } from "../../app/protocol/v1/rest.ts";
import type { Refusals, Route } from "../../hub/rest/route.ts";
import { allRoutes, type Domain } from "../../hub/routes/all-routes.ts";
import {
  OF_EVERY_BODY,
  OF_EVERY_ENDPOINT,
  OF_EVERY_TOKEN,
  refusalsOf,
} from "../../hub/spec/refusals.ts";
import { alternativesOf, code, type Described, listItem } from "./describe-schema.ts";

// Creating routes does not access the domain; only their handlers would.
const routes = allRoutes({} as Domain);

/** docs/rest.md: every endpoint of the hub, and which of its answers occurs when. */
export const restPage = (): string =>
  [
    "# REST",
    "",
    "Every endpoint of the hub: who may ask, what it takes and gives, and the code of each refusal. Written by",
    "`npm run docs:reference`; a test provokes every refusal against a running hub. Every type and bound is in a running",
    "hub's `/openapi.json`, what holds for all of REST in [the protocol](protocol.md#rest).",
    "",
    "The first thing that does not hold is the answer, in the order below: of every endpoint, of every token, of every",
    "body, then what the endpoint lists. `params.fault` is a fault of [strict JSON](protocol.md#strict-json),",
    "`body_schema` where the JSON is of another form, or the word that the entry names.",
    "",
    "The person's token is short-lived. `npm run --silent hub -- token --data-dir DIR` prints one for the owner's scripts;",
    "with it they register agents, replace manifests and add agents at the hub that runs. What they add has no permission in",
    "the client until the person has answered there.",
    "",
    "## Every endpoint",
    "",
    ...list(OF_EVERY_ENDPOINT),
    "## Every token",
    "",
    ...list(OF_EVERY_TOKEN),
    "## Every body",
    "",
    ...list({ BAD_REQUEST: OF_EVERY_BODY }),
    ...routes.flatMap(section),
  ].join("\n");

const WHO = {
  none: "anybody",
  owner: "an owner of the hub",
  person: "the person",
  member: "the person or an agent",
  pairing: "who has the pairing's own token",
} as const;

function section(route: Route): readonly string[] {
  const { method, path, auth, spec } = route;
  const { summary, body, data, status = 200, orOk } = spec;
  const or = orOk === undefined ? "" : ` (200: ${orOk.replace(/^The/, "the")})`;
  const success = status === 200 ? "" : ` Success is ${status}${or}.`;
  const takes = body === undefined ? "" : `Takes ${shapeOf(body as Described)}. `;
  const gives = data === null ? "A document of its own." : `Gives ${shapeOf(data as Described)}.`;
  const general: readonly string[] = [OF_EVERY_BODY, ...Object.values(OF_EVERY_TOKEN)];
  const own = Object.entries(refusalsOf(route))
    .map(([word, when]) => [word, when.replace(`${OF_EVERY_BODY} `, "")] as const)
    .filter(([, when]) => !general.includes(when));
  return [
    `## ${method} ${path}`,
    "",
    `${summary}. For ${WHO[auth]}. ${takes}${gives}${success}`,
    "",
    ...(own.length === 0 ? [] : list(Object.fromEntries(own))),
  ];
}

/** The names in it, one level deep. */
function shapeOf(schema: Described): string {
  if (schema.items !== undefined) return `a list of ${shapeOf(schema.items)}`;
  const shapes = alternativesOf(schema).map(({ title, properties, required = [] }) =>
    title !== undefined && properties !== undefined && Object.keys(properties).length > 12
      ? title
      : code(
          `{${Object.keys(properties ?? {})
            .map((name) => (required.includes(name) ? name : `${name}?`))
            .join(", ")}}`,
        ),
  );
  return [...new Set(shapes)].join(" or ");
}

const list = (refusals: Refusals): readonly string[] => [
  ...Object.entries(refusals).map(([word, when]) =>
    listItem(word, [String(HUB_ERRORS[word as HubErrorCode])], when),
  ),
  "",
];
