import { beforeEach, expect, it } from "vitest";
import { fromBase64, toBase64 } from "../../app/contract/base64.ts";
import { appendEntry, NO_LEDGER, verifyLedger } from "../../app/encryption/ledger/ledger.ts";
import { nodePrimitives as crypto } from "../../runtime/crypto/node-primitives.ts";
import { type AddedAgent, HubRig } from "../testing/hub-rig.ts";
import { keysOf } from "../testing/key-owner.ts";
import { ofEachTest } from "../testing/of-each-test.ts";

const rig = ofEachTest(new HubRig());
let agent: AddedAgent;
let path: string;
beforeEach(async () => {
  agent = await rig.addAgent();
  path = `/h2a/relations/${agent.relation.relation_id}/ledger`;
});

const granting = (at: number, scope: string) => ({
  kind: "grant" as const,
  agentId: agent.agentId,
  at,
  manifestHash: new Uint8Array(32),
  scopes: [scope],
});

it("keeps entries in their order, for both ends to check", async () => {
  const { identity } = await keysOf(rig.hub.userId);
  const first = await appendEntry(crypto, identity, NO_LEDGER, granting(1, "filesystem:read"));
  const second = await appendEntry(crypto, identity, first.head, granting(2, "network:http"));
  for (const [index, { bytes }] of [first, second].entries()) {
    const { status, json } = await rig.asPerson("POST", path, { index, entry: toBase64(bytes) });
    expect([status, json.data]).toEqual([201, { length: index + 1 }]);
  }
  const { json } = await rig.rest("GET", path, { token: agent.token });
  expect(json.data.length).toBe(2);
  const entries = json.data.entries.map((entry: string) => fromBase64(entry));
  const expected = { person: identity.card, agentId: agent.agentId, seen: NO_LEDGER };
  const { granted, head } = await verifyLedger(crypto, entries, expected);
  expect([...granted.keys()]).toEqual(["filesystem:read", "network:http"]);
  expect(head).toEqual(second.head);
  const rest = await rig.asPerson("GET", `${path}?from=1`);
  expect(rest.json.data).toEqual({ entries: [toBase64(second.bytes)], length: 2 });
});

it("starts over when the person has another key, and only then", async () => {
  const length = async () => (await rig.rest("GET", path, { token: agent.token })).json.data.length;
  const publish = async (keys: Awaited<ReturnType<typeof keysOf>>) => {
    expect((await rig.asPerson("PUT", "/keys/mine", keys.body)).status).toBe(200);
  };
  const first = await keysOf(rig.hub.userId);
  await publish(first);
  const change = granting(1, "filesystem:read");
  const { bytes } = await appendEntry(crypto, first.identity, NO_LEDGER, change);
  await rig.asPerson("POST", path, { index: 0, entry: toBase64(bytes) });
  await publish(first);
  expect(await length()).toBe(1);
  await publish(await keysOf(rig.hub.userId));
  expect(await length()).toBe(0);
});

it("takes an entry only in the next place", async () => {
  const entry = toBase64(Uint8Array.of(1, 2, 3));
  await rig.asPerson("POST", path, { index: 0, entry });
  for (const index of [0, 2]) {
    const { status, json } = await rig.asPerson("POST", path, { index, entry });
    expect([status, json.error.code, json.error.params]).toEqual([
      409,
      "LEDGER_CONFLICT",
      { length: 1 },
    ]);
  }
});

it("is the two ends' own, and written by the person alone", async () => {
  const other = await rig.addAgent();
  expect((await rig.rest("GET", path, { token: other.token })).status).toBe(404);
  const body = { index: 0, entry: "AAAA" };
  expect((await rig.rest("POST", path, { token: agent.token, body })).status).toBe(401);
  expect((await rig.asPerson("POST", path, { index: 0, entry: "A" })).status).toBe(400);
  expect((await rig.asPerson("GET", `${path}?from=x`)).status).toBe(400);
});
