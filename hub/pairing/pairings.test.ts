import { expect, test } from "vitest";
import { HubRig, sampleManifest } from "../testing/hub-rig.ts";
import { ofEachTest } from "../testing/of-each-test.ts";

const rig = ofEachTest(new HubRig());

const MINUTES_5 = 5 * 60_000;

interface Ticket {
  readonly pairing_id: string;
  readonly code: string;
  readonly pairing_token: string;
  readonly expires_at: string;
}

async function knock(name?: string): Promise<Ticket> {
  const reply = await rig.knock(sampleManifest(), name);
  expect(reply.status).toBe(201);
  return reply.json.data as Ticket;
}

const poll = (ticket: Ticket, waitMs = 0) =>
  rig.rest("GET", `/pairings/${ticket.pairing_id}?wait_ms=${waitMs}`, {
    token: ticket.pairing_token,
  });
/** An agent that waits for the person's answer. */
async function polling(waitMs = 25_000) {
  const ticket = await knock();
  const arrived = rig.time.nextTimer();
  const waiting = poll(ticket, waitMs);
  await arrived;
  return { ticket, waiting };
}
const answer = (ticket: Ticket, accept: boolean, granted_scopes: readonly string[] = []) =>
  rig.asPerson("POST", `/pairings/${ticket.pairing_id}/answer`, { accept, granted_scopes });

test("an agent asks, the person sees it, accepts, and the agent gets its token", async () => {
  const human = await rig.human();
  const ticket = await knock("Ag\u202Eent\u0007");
  expect(ticket.code).toMatch(/^[2-9A-HJKMNP-Z]{3}-[2-9A-HJKMNP-Z]{3}$/);
  expect(ticket.expires_at).toBe("2026-01-01T00:05:00.000Z");
  const { payload } = await human.next("pairing.requested");
  expect(payload).toMatchObject({
    pairing_id: ticket.pairing_id,
    code: ticket.code,
    name: "Ag\u202Eent\u0007",
    capability_manifest: sampleManifest(),
  });
  expect((await rig.asPerson("GET", "/pairings")).json.data).toEqual([payload]);
  expect((await poll(ticket)).json.data).toEqual({ status: "waiting" });
  const accepted = await answer(ticket, true, ["filesystem:read", "filesystem:read"]);
  expect(accepted.json.data).toMatchObject({
    status: "active",
    name: "Ag\u202Eent\u0007",
    granted_scopes: ["filesystem:read"],
    capability_manifest_version: 1,
    user_id: rig.hub.userId,
  });
  expect((await human.next("pairing.closed")).payload).toEqual({
    pairing_id: ticket.pairing_id,
    outcome: "accepted",
  });
  expect((await human.next("relation.established")).payload).toMatchObject({
    agent_id: accepted.json.data.agent_id,
  });
  const state = (await poll(ticket)).json.data;
  expect(state).toMatchObject({
    status: "accepted",
    agent_id: accepted.json.data.agent_id,
    user_id: rig.hub.userId,
    conversation_id: accepted.json.data.conversation_id,
    granted_scopes: ["filesystem:read"],
  });
  expect(state.token).toMatch(/^hsk_[0-9A-Za-z]{40}$/);
});

test("the accepted answer can be fetched again until the agent has used its token", async () => {
  const ticket = await knock();
  await answer(ticket, true);
  rig.time.pass(2 * MINUTES_5);
  const first = (await poll(ticket)).json.data;
  expect((await poll(ticket)).json.data).toEqual(first);
  await rig.agent({ agentId: first.agent_id, token: first.token });
  expect((await poll(ticket)).status).toBe(404);
  const again = await answer(ticket, true);
  expect([again.status, again.json.error.code]).toEqual([409, "PAIRING_CLOSED"]);
});

test("a waiting poll is answered as soon as the person decides", async () => {
  const { ticket, waiting } = await polling();
  await answer(ticket, false);
  expect((await waiting).json.data).toEqual({ status: "refused" });
  expect((await poll(ticket, 25_000)).json.data).toEqual({ status: "refused" });
});

test("a poll waits 25 s at most and then says waiting", async () => {
  const { waiting } = await polling(999_999);
  rig.time.pass(25_000);
  expect((await waiting).json.data).toEqual({ status: "waiting" });
});

test("after five minutes a pairing is expired, for the agent and for the person", async () => {
  const { ticket, waiting } = await polling();
  rig.time.pass(MINUTES_5 - 1);
  expect((await waiting).json.data).toEqual({ status: "waiting" });
  expect((await poll(ticket)).json.data).toEqual({ status: "waiting" });
  const human = await rig.human();
  rig.time.pass(1);
  const state = await poll(ticket);
  expect([state.status, state.json.data]).toEqual([200, { status: "expired" }]);
  expect((await human.next("pairing.closed")).payload).toMatchObject({ outcome: "expired" });
  expect(await answer(ticket, true)).toMatchObject({
    status: 410,
    json: { error: { code: "PAIRING_EXPIRED", i18n_key: "error.hub.pairing_expired" } },
  });
  expect((await rig.asPerson("GET", "/pairings")).json.data).toEqual([]);
  rig.time.pass(MINUTES_5);
  expect((await poll(ticket)).status).toBe(404);
});

test("an answered pairing cannot be answered or withdrawn again", async () => {
  const ticket = await knock();
  await answer(ticket, false);
  expect((await answer(ticket, true)).status).toBe(409);
  rig.time.pass(MINUTES_5 - 1);
  expect((await poll(ticket)).json.data).toEqual({ status: "refused" });
  const withdrawn = await rig.rest("DELETE", `/pairings/${ticket.pairing_id}`, {
    token: ticket.pairing_token,
  });
  expect(withdrawn.json.error.code).toBe("PAIRING_CLOSED");
  rig.time.pass(1);
  expect((await poll(ticket)).status).toBe(404);
});

test("the agent can withdraw its own request, and nobody else can", async () => {
  const human = await rig.human();
  const [mine, other] = [await knock(), await knock()];
  const path = `/pairings/${mine.pairing_id}`;
  expect((await rig.rest("DELETE", path, { token: other.pairing_token })).status).toBe(401);
  expect((await rig.rest("DELETE", path, { token: mine.pairing_token })).status).toBe(200);
  expect((await human.next("pairing.closed")).payload).toMatchObject({ outcome: "withdrawn" });
  expect((await poll(mine)).status).toBe(404);
});

test("a fourth waiting request is refused until one is settled", async () => {
  const [first] = [await knock(), await knock(), await knock()];
  const fourth = await rig.knock();
  expect([fourth.status, fourth.json.error.code]).toEqual([429, "TOO_MANY_PAIRINGS"]);
  if (first !== undefined) await answer(first, false);
  await knock();
});

test("requests whose manifests are still being checked count as waiting", async () => {
  const gate = Promise.withResolvers<void>();
  await rig.restart({ checkSchema: () => gate.promise.then(() => []) });
  const all = Array.from({ length: 4 }, () => rig.knock());
  expect((await Promise.race(all)).status).toBe(429);
  gate.resolve();
  const statuses = (await Promise.all(all)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([201, 201, 201, 429]);
});

test("scopes outside the manifest are not granted, and the pairing stays open", async () => {
  const ticket = await knock();
  const reply = await answer(ticket, true, ["filesystem:read", "shell:exec"]);
  expect(reply).toMatchObject({
    status: 422,
    json: { error: { code: "SCOPE_UNKNOWN", params: { scopes: ["shell:exec"] } } },
  });
  expect((await poll(ticket)).json.data).toEqual({ status: "waiting" });
  expect((await rig.asPerson("GET", "/h2a/relations")).json.data).toEqual([]);
});

test("waiting requests are told to a person who connects later", async () => {
  const ticket = await knock();
  const human = await rig.human();
  expect((await human.next("pairing.requested")).payload).toMatchObject({
    pairing_id: ticket.pairing_id,
  });
});

test("only the person lists and answers, only the agent polls", async () => {
  const ticket = await knock();
  const path = `/pairings/${ticket.pairing_id}`;
  const token = ticket.pairing_token;
  expect((await rig.rest("GET", "/pairings", { token })).status).toBe(401);
  const body = { accept: true, granted_scopes: [] };
  expect((await rig.rest("POST", `${path}/answer`, { token, body })).status).toBe(401);
  expect((await rig.rest("GET", path, { token: rig.person })).status).toBe(401);
});

test("names are measured, not changed", async () => {
  for (const name of ["", "x".repeat(65)]) {
    const reply = await rig.knock(sampleManifest(), name);
    expect(reply.json.error.code).toBe("BAD_REQUEST");
  }
  await knock("x".repeat(64));
});

test("closing the hub answers those who still wait", async () => {
  const { waiting } = await polling();
  const ended = waiting.catch(() => "cut");
  await rig.hub.close();
  await ended;
  expect(rig.time.pending).toBe(0);
});
