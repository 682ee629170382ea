import Type, { type TSchema } from "typebox";
import { ManifestSchema } from "../../app/contract/manifest.ts";
import { BEYOND_SCHEMA, WARNED_OF } from "../../app/contract/manifest-remarks.ts";
import { AuthFrame, ClientFrame, ServerFrame } from "../../app/protocol/v1/frames.ts";
import { HUB_ERRORS, type HubErrorCode } from "../../app/protocol/v1/rest.ts";
import { errorBody } from "../hub-error.ts";
import type { Refusals, Route, RouteAuth, RouteSpec } from "../rest/route.ts";
import { OF_EVERY_ENDPOINT, refusalsOf } from "./refusals.ts";

export const ErrorAnswer = Type.Object({
  error: Type.Object({
    code: Type.Union(Object.keys(HUB_ERRORS).map((code) => Type.Literal(code))),
    message: Type.String(),
    i18n_key: Type.String(),
    params: Type.Record(Type.String(), Type.Unknown()),
  }),
});

/** contract §8: success is `{data}`. */
export const dataOf = (schema: TSchema): TSchema => Type.Object({ data: schema });

/** OpenAPI 3.1 of these routes. Its schemas are the very TypeBox ones that requests are judged by. */
export function openApi(routes: readonly Route[]) {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Consentry hub", version: "1", description: "REST of protocol version 1" },
    servers: [{ url: "http://127.0.0.1:{port}", variables: { port: { default: "4800" } } }],
    paths,
    components: {
      schemas: {
        Error: ErrorAnswer,
        Manifest: MANIFEST,
        // What the WebSockets carry.
        FrameToHub: Type.Union([AuthFrame, ...ClientFrame.anyOf]),
        FrameFromHub: ServerFrame,
      },
      securitySchemes: {
        owner: {
          ...BEARER,
          bearerFormat: "JWT",
          description: "The access token of a person who owns the hub.",
        },
        person: {
          ...BEARER,
          bearerFormat: "JWT",
          description: "A person's access token. It is good for five minutes.",
        },
        agent: { ...BEARER, description: "An agent's own, `hsk_` and 40 letters and digits." },
        pairing: { ...BEARER, description: "What `POST /pairings` gave, `hsp_` and 40 of them." },
      },
    },
  };
}

/** Its schema, and what is said of a manifest besides: problems and warnings by their codes. */
const MANIFEST = {
  ...ManifestSchema,
  "x-problems-beyond-the-schema": BEYOND_SCHEMA,
  "x-warnings": WARNED_OF,
};
const MANIFEST_REF = { $ref: "#/components/schemas/Manifest" };

/** Manifests are checked by their bytes, apart from the bodies around them; here both are one. */
function withManifests(value: unknown): unknown {
  if (value === ManifestSchema) return MANIFEST_REF;
  if (Array.isArray(value)) return value.map(withManifests);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === "capability_manifest" ? MANIFEST_REF : withManifests(each),
    ]),
  );
}

function operationOf(route: Route): object {
  const { path, spec } = route;
  const { summary, body, bodyExample, status = 200, orOk } = spec;
  const content = json(successOf(spec));
  return {
    summary,
    security: SECURITY[route.auth],
    parameters: parametersOf(path, spec),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: json({ schema: withManifests(body), example: bodyExample }),
          },
        }),
    responses: {
      [status]: { description: summary, content },
      ...(orOk === undefined ? {} : { 200: { description: orOk, content } }),
      ...failuresOf(refusalsOf(route)),
      default: failure(OF_EVERY_ENDPOINT),
    },
  };
}

/** By status, with the codes that have it. */
function failuresOf(refusals: Refusals): Record<string, object> {
  const statuses = [...new Set(codesOf(refusals).map((code) => HUB_ERRORS[code]))];
  return Object.fromEntries(
    statuses.map((status) => {
      const its = Object.entries(refusals).filter(
        ([code]) => HUB_ERRORS[code as HubErrorCode] === status,
      );
      return [status, failure(Object.fromEntries(its))];
    }),
  );
}

function failure(refusals: Refusals): object {
  const description = Object.entries(refusals).map(([code, when]) => `\`${code}\`: ${when}`);
  const codes = codesOf(refusals);
  const [code = "INTERNAL"] = codes;
  const schema = {
    allOf: [
      { $ref: "#/components/schemas/Error" },
      { properties: { error: { properties: { code: { enum: codes } } } } },
    ],
  };
  const example = { error: errorBody(code) };
  return { description: description.join("\n\n"), content: json({ schema, example }) };
}

const codesOf = (refusals: Refusals): readonly HubErrorCode[] =>
  Object.keys(refusals) as HubErrorCode[];

function successOf({ data, dataExample }: RouteSpec): object {
  if (data === null) return { schema: { type: "object" } };
  return { schema: withManifests(dataOf(data)), example: { data: dataExample } };
}

const json = (media: object): object => ({ "application/json": media });

const BEARER = { type: "http", scheme: "bearer" } as const;

const SECURITY: Readonly<Record<RouteAuth, readonly object[]>> = {
  none: [],
  owner: [{ owner: [] }],
  person: [{ person: [] }],
  member: [{ agent: [] }, { person: [] }],
  pairing: [{ pairing: [] }],
};

function parametersOf(path: string, { query = {} }: RouteSpec): object[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const inQuery = Object.entries(query).map(([name, schema]) => ({ name, in: "query", schema }));
  return [...inPath, ...inQuery];
}
