import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { TSchema } from "typebox";
import { expect, test } from "vitest";
import { guardOf } from "../../app/contract/checked.ts";
import { ROUTES as routes } from "../testing/hub-caller.ts";
import { HubRig, sampleManifest } from "../testing/hub-rig.ts";
import { InvitedPerson } from "../testing/invited-person.ts";
import { keysOf } from "../testing/key-owner.ts";
import { ofEachTest } from "../testing/of-each-test.ts";
import { dataOf, ErrorAnswer } from "./openapi.ts";

const rig = ofEachTest(new HubRig());

const named = routes.map(({ method, path }) => `${method} ${path}`);
const specOf = (name: string) => routes[named.indexOf(name)]?.spec;
const isValid = (schema: TSchema, value: unknown): boolean => guardOf(schema)(value);

/** OpenAPI has words of its own, which are none of JSON Schema's. */
const AS_TOLD = { strict: false, validateFormats: false };

interface Media {
  readonly schema: TSchema;
  readonly example?: unknown;
}
/** Every `schema` beside an `example`, anywhere in a document. */
function mediaIn(value: unknown): Media[] {
  if (typeof value !== "object" || value === null) return [];
  const below = Object.values(value).flatMap(mediaIn);
  return "schema" in value && "example" in value ? [value as Media, ...below] : below;
}

test("the hub serves its OpenAPI to anybody, with every route in it", async () => {
  const { status, headers, json } = await rig.rest("GET", "/openapi.json");
  expect([status, headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
  expect(json.openapi).toBe("3.1.0");
  const told = Object.entries(json.paths as Record<string, object>).flatMap(([path, operations]) =>
    Object.keys(operations).map(
      (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
    ),
  );
  expect(told.toSorted()).toEqual(named.toSorted());
});

test("the OpenAPI says whose bearer token each endpoint takes", async () => {
  const { json } = await rig.rest("GET", "/openapi.json");
  const takes = (method: string, path: string) =>
    json.paths[path][method].security.flatMap((each: object) => Object.keys(each));
  expect(takes("get", "/agents/{id}")).toEqual([]);
  expect(takes("post", "/agents")).toEqual(["person"]);
  expect(takes("patch", "/agents/{id}")).toEqual(["agent", "person"]);
  expect(takes("get", "/pairings/{id}")).toEqual(["pairing"]);
  const schemes = Object.values(json.components.securitySchemes as Record<string, object>);
  for (const scheme of schemes) expect(scheme).toMatchObject({ type: "http", scheme: "bearer" });
  const ticket = await rig.rest("POST", "/pairings", {
    body: { name: "A", capability_manifest: sampleManifest() },
  });
  expect(ticket.json.data.pairing_token).toMatch(/^hsp_[0-9A-Za-z]{40}$/);
});

test("every example of the OpenAPI is valid by the schema beside it", async () => {
  const { json } = await rig.rest("GET", "/openapi.json");
  const media = mediaIn(json.paths);
  expect(media.length).toBeGreaterThan(2 * routes.length);
  const { components } = json;
  const ajv = new Ajv2020(AS_TOLD).addSchema({ $id: "openapi", components });
  const isIn = new Map<string, ValidateFunction>();
  for (const { schema, example } of media) {
    const text = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
    const isExample = isIn.get(text) ?? ajv.compile(JSON.parse(text));
    isIn.set(text, isExample);
    expect(isExample(example), JSON.stringify(example)).toBe(true);
  }
});

test("what the hub really answers is what the document says", async () => {
  const seen = new Set(["GET /openapi.json"]);
  const fits = (
    operation: string,
    { status, json }: { status: number; json: unknown },
    usual = specOf(operation)?.status ?? 200,
  ) => {
    seen.add(operation);
    expect(status, operation).toBe(usual);
    const schema = specOf(operation)?.data;
    if (schema === undefined || schema === null) throw new TypeError(`nothing for ${operation}`);
    expect(isValid(dataOf(schema), json), `${operation}: ${JSON.stringify(json)}`).toBe(true);
  };
  const pairing = { name: "A", capability_manifest: sampleManifest() };
  fits("POST /auth/challenge", await rig.rest("POST", "/auth/challenge"));
  const asked = { name: "Ada" };
  fits("POST /people/invitations", await rig.asPerson("POST", "/people/invitations", asked));
  const ada = await InvitedPerson.at(rig, "ada");
  fits("POST /auth/token", await ada.signIn());
  fits("GET /people", await rig.asPerson("GET", "/people"));
  fits("POST /people/:id/suspend", await rig.asPerson("POST", "/people/ada/suspend"));
  fits("POST /people/:id/restore", await rig.asPerson("POST", "/people/ada/restore"));
  fits("DELETE /people/:id", await rig.asPerson("DELETE", "/people/ada"));
  fits("GET /health", await rig.rest("GET", "/health"));
  const ticket = await rig.rest("POST", "/pairings", { body: pairing });
  fits("POST /pairings", ticket);
  fits("GET /pairings", await rig.asPerson("GET", "/pairings"));
  const { pairing_id, pairing_token: token } = ticket.json.data;
  fits("GET /pairings/:id", await rig.rest("GET", `/pairings/${pairing_id}`, { token }));
  const answer = { accept: true, granted_scopes: [] };
  const answered = await rig.asPerson("POST", `/pairings/${pairing_id}/answer`, answer);
  fits("POST /pairings/:id/answer", answered);
  fits("GET /pairings/:id", await rig.rest("GET", `/pairings/${pairing_id}`, { token }));
  const other = (await rig.rest("POST", "/pairings", { body: pairing })).json.data;
  const withdrawn = { token: other.pairing_token };
  fits(
    "DELETE /pairings/:id",
    await rig.rest("DELETE", `/pairings/${other.pairing_id}`, withdrawn),
  );
  fits("POST /agents", await rig.asPerson("POST", "/agents", pairing));
  const comes = "c".repeat(22);
  const { body: card } = await keysOf(comes, 0, "ratchet");
  const { identity_card } = card;
  const arrival = { ...pairing, identity_card, relation_id: "r", conversation_id: "c" };
  fits("PUT /agents/:id", await rig.asPerson("PUT", `/agents/${comes}`, arrival));
  const { agent_id, relation_id, conversation_id } = answered.json.data;
  fits("GET /agents/:id", await rig.rest("GET", `/agents/${agent_id}`));
  const patch = { capability_manifest: sampleManifest({ permission_scopes: [], tools: [] }) };
  const preview = await rig.asPerson("POST", `/agents/${agent_id}/manifest-preview`, patch);
  fits("POST /agents/:id/manifest-preview", preview);
  fits("PATCH /agents/:id", await rig.asPerson("PATCH", `/agents/${agent_id}`, patch));
  fits("GET /h2a/relations", await rig.asPerson("GET", "/h2a/relations"));
  const message = { client_message_id: "m", content_type: "text", encrypted_payload: "AGhp" };
  const sent = await rig.asPerson("POST", `/conversations/${conversation_id}/messages`, message);
  fits("POST /conversations/:id/messages", sent);
  const group = { type: "group", agent_ids: [agent_id] };
  const made = await rig.asPerson("POST", "/conversations", group);
  fits("POST /conversations", made);
  fits("GET /conversations", await rig.asPerson("GET", "/conversations"));
  const at = `/conversations/${made.json.data.conversation_id}`;
  fits("GET /conversations/:id", await rig.asPerson("GET", at));
  fits("PATCH /conversations/:id", await rig.asPerson("PATCH", at, { title: "A" }));
  fits("POST /conversations/:id/members", await rig.asPerson("POST", `${at}/members`, {}));
  fits("POST /conversations/:id/read", await rig.asPerson("POST", `${at}/read`, { seq: 1 }));
  const left = await rig.asPerson("DELETE", `${at}/members/${agent_id}`);
  fits("DELETE /conversations/:id/members/:member_id", left);
  const path = `/h2a/relations/${relation_id}`;
  const { body: keys } = await keysOf(rig.hub.userId);
  fits("PUT /keys/mine", await rig.asPerson("PUT", "/keys/mine", keys));
  fits("GET /keys/mine", await rig.asPerson("GET", "/keys/mine"));
  fits("GET /keys/:owner_id", await rig.asPerson("GET", `/keys/${rig.hub.userId}`));
  const bundle = await rig.asPerson("POST", `/keys/${rig.hub.userId}/bundle`);
  fits("POST /keys/:owner_id/bundle", bundle);
  const entry = { index: 0, entry: "AAAA" };
  fits("POST /h2a/relations/:id/ledger", await rig.asPerson("POST", `${path}/ledger`, entry));
  fits("GET /h2a/relations/:id/ledger", await rig.asPerson("GET", `${path}/ledger`));
  const granted = { granted_scopes: [] };
  fits("PATCH /h2a/relations/:id", await rig.asPerson("PATCH", path, granted));
  fits("POST /h2a/relations/:id/suspend", await rig.asPerson("POST", `${path}/suspend`));
  fits("POST /h2a/relations/:id/restore", await rig.asPerson("POST", `${path}/restore`));
  const again = { agent_id, granted_scopes: [] };
  fits("POST /h2a/relations", await rig.asPerson("POST", "/h2a/relations", again), 200);
  fits("DELETE /h2a/relations/:id", await rig.asPerson("DELETE", path));
  fits("POST /h2a/relations", await rig.asPerson("POST", "/h2a/relations", again));
  expect([...seen].toSorted()).toEqual(named.toSorted());
  const { json } = await rig.asPerson("GET", "/agents/nobody");
  expect(isValid(ErrorAnswer, json)).toBe(true);
});
