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
export const restPage = (told: Told = new Map()): string =>
  [
    "# REST",
    "",
    "Every endpoint of the hub: who may ask, what it takes and gives, and the code of each refusal. Written by",
    "`npm run docs:reference`; a test provokes every refusal against a running hub. Every type and bound is in a running",
    "hub's `/openapi.json`, what holds for all of REST in [the protocol](protocol.md#rest).",
    "",
    "Each endpoint: what it does, who may ask: what it takes → what it gives (the status, if it is not 200). The first",
    "thing that does not hold is the answer, in the order below: of every endpoint, of every token, of every body, then",
    "what the endpoint lists. `params.fault` is a fault of [strict JSON](protocol.md#strict-json), `body_schema` where the",
    "JSON is of another form, or the word that the entry names.",
    "",
    "For [an owner's scripts](../hub/README.md), which register agents, replace manifests and add agents at the hub that",
    "runs, a command prints a token. What they add has no permission in the client until the person has answered there.",
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
    ...routes.flatMap((route) => section(route, told)),
  ].join("\n");

/** What was told so far, and at which endpoint. */
type Told = Map<string, string>;

const WHO = {
  none: "Anybody",
  owner: "Owner of the hub",
  person: "Person",
  member: "Person or agent",
  pairing: "Pairing's own token",
} as const;

function section(route: Route, told: Told): readonly string[] {
  const { method, path, auth, spec } = route;
  const { summary, body, data, status = 200, orOk } = spec;
  const or = orOk === undefined ? "" : ` (200: ${orOk.replace(/^The/, "the")})`;
  const success =
    status === 200 ? "" : ` (${status}${or.replace(/[()]/g, "").replace(" 200:", "; 200:")})`;
  const takes = body === undefined ? "" : `${shapeOf(body as Described)} `;
  const shape = data === null ? "a document of its own" : shapeOf(data as Described);
  const name = `${method} ${path}`;
  const gives = toldOnce("", shape, name, told);
  const general: readonly string[] = [OF_EVERY_BODY, ...Object.values(OF_EVERY_TOKEN)];
  const own = Object.entries(refusalsOf(route))
    .map(([word, when]) => [word, when.replace(`${OF_EVERY_BODY} `, "")] as const)
    .filter(([, when]) => !general.includes(when));
  return [
    `## ${name}`,
    "",
    `${summary}. ${WHO[auth]}: ${takes}→ ${gives}${success}.`,
    "",
    ...(own.length === 0 ? [] : ownList(Object.fromEntries(own), name, told)),
  ];
}

/** An endpoint's refusals; of what was told before, only where. */
function ownList(refusals: Refusals, name: string, told: Told): readonly string[] {
  const entries = Object.entries(refusals);
  const isKnown = ([word, when]: readonly [string, string]) => told.has(`${word}: ${when}`);
  const known = entries.filter((entry) => isKnown(entry) && meaningsOf(entry[0]).size === 1);
  const rest = entries.filter((entry) => !known.includes(entry));
  const above = known.map(([word]) => code(word)).join(", ");
  const items = rest.map(([word, when]) => [word, toldOnce(word, when, name, told)] as const);
  const own = items.length === 0 ? [""] : list(Object.fromEntries(items));
  return above === "" ? own : [`- ${above}: as above`, ...own];
}

const meaningsOf = (word: string): ReadonlySet<string> =>
  new Set(routes.flatMap((route) => refusalsOf(route)[word as HubErrorCode] ?? []));

/** A text where it comes first; from then on, where that was. */
function toldOnce(word: string, text: string, name: string, told: Told): string {
  const first = told.get(`${word}: ${text}`);
  if (first === undefined) told.set(`${word}: ${text}`, name);
  return first === undefined || text.length < 40 ? text : `as ${code(first)}`;
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
