import { describe, expect, it, vi } from "vitest";
import { toBase64 } from "../app/contract/base64.ts";
import { ManualTime, turn } from "../app/contract/testing/manual-time.ts";
import { safetyNumber } from "../app/encryption/identity/fingerprint.ts";
import { createIdentity, encodeCard, readCard } from "../app/encryption/identity/identity.ts";
import { MemoryRecords } from "../app/encryption/testing/correspondents.ts";
import { readPublishedCard } from "../hub/keys/key-directory.ts";
import { nodePrimitives } from "../runtime/crypto/node-primitives.ts";
import { HasheeAgent } from "./agent.ts";
import type { SafetyNumber } from "./encryption/encryption-events.ts";
import { AGENT_ID, CONVERSATION, FakeHub, TOKEN, USER_ID } from "./testing/fake-hub.ts";
import { type AnswerTo, data, type RestAnswer, refusal } from "./testing/fake-rest.ts";
import { MANIFEST, optionsAt } from "./testing/start-agent.ts";

const TICKET_DATA = {
  pairing_id: "p1",
  code: "482-193",
  pairing_token: "pt",
  expires_at: new Date(new ManualTime().now() + 300_000).toISOString(),
};
const TICKET = data(TICKET_DATA, 201);
/** Keys under the id that the agent chose. */
const accepted = (agent_id: string) =>
  data({
    status: "accepted",
    agent_id,
    token: TOKEN,
    user_id: USER_ID,
    conversation_id: CONVERSATION,
    granted_scopes: ["filesystem:read"],
  });
const ACCEPTED: AnswerTo = ([request]) => accepted(cardIn(request?.body).ownerId);
const cardIn = (body: unknown) =>
  readPublishedCard((body as { identity_card: string }).identity_card);
const WAITING = data({ status: "waiting" });

function pair(answers: readonly (RestAnswer | AnswerTo)[], over = {}) {
  const hub = new FakeHub({ answers });
  const clock = new ManualTime();
  const codes: string[] = [];
  const pairing = HasheeAgent.pair({
    name: "Reader",
    manifest: MANIFEST,
    baseUrl: "http://127.0.0.1:1",
    onCode: (code) => codes.push(code),
    fetch: hub.fetch,
    keyStore: new MemoryRecords(),
    webSocket: hub.webSocket,
    clock,
    ...over,
  });
  const failure = pairing.then(
    () => undefined,
    (error: unknown) => error,
  );
  return { hub, clock, rest: hub.rest, codes, pairing, failure };
}

describe("pair", () => {
  it.each([
    ["the hub's warnings", { warnings: [{ pointer: "", code: "manifest_large" }, "?"] }, 1],
    ["none from a hub that sends none", {}, 0],
  ])("resolves with %s about the manifest", async (_, more, count) => {
    const ticket = { pairing_id: "p1", code: "482-193", pairing_token: "pt", expires_at: "2026" };
    const { warnings } = await pair([data({ ...ticket, ...more }, 201), ACCEPTED]).pairing;
    expect(warnings).toEqual([{ pointer: "", code: "manifest_large" }].slice(0, count));
  });

  it("shows the code, waits for the person, and connects with the credentials it gets", async () => {
    const { pairing, rest, codes, hub } = pair([TICKET, WAITING, ACCEPTED]);
    const { agent, credentials } = await pairing;
    expect(codes).toEqual(["482-193"]);
    expect(credentials).toEqual({
      agentId: cardIn(rest.requests[0]?.body).ownerId,
      token: TOKEN,
      userId: USER_ID,
      conversationId: CONVERSATION,
      grantedScopes: ["filesystem:read"],
    });
    expect(agent.status).toBe("connected");
    expect(hub.heard[0]).toEqual({ type: "auth", agent_id: credentials.agentId, token: TOKEN });
    const poll = {
      method: "GET",
      path: "/pairings/p1?wait_ms=25000",
      authorization: "Bearer pt",
      body: undefined,
    };
    expect(rest.requests.slice(0, 3)).toEqual([
      {
        method: "POST",
        path: "/pairings",
        authorization: undefined,
        body: {
          name: "Reader",
          capability_manifest: MANIFEST,
          identity_card: expect.any(String),
          encryption: "ratchet",
        },
      },
      poll,
      poll,
    ]);
  });

  it("shows the safety number with the code, while the person has not answered", async () => {
    const owner = await createIdentity(nodePrimitives, USER_ID, null);
    const person_card = toBase64(encodeCard(owner.card));
    const ticket = { ...TICKET_DATA, person_card };
    const shown: SafetyNumber[] = [];
    const onSafetyNumber = (number: SafetyNumber) => shown.push(number);
    const { failure, rest, clock } = pair([data(ticket, 201), "hang", data(null)], {
      onSafetyNumber,
      timeoutMs: 5000,
    });
    await vi.waitFor(() => expect(rest.requests).toHaveLength(2));
    const { bytes } = cardIn(rest.requests[0]?.body);
    const agents = await readCard(nodePrimitives, bytes);
    const digits = await safetyNumber(nodePrimitives, owner.card, agents);
    expect(shown).toEqual([{ digits, words: expect.any(String) }]);
    await clock.advance(5000);
    expect(await failure).toMatchObject({ code: "expired" });
  });

  it("withdraws the request when the hub shows a key that nobody can have published", async () => {
    const ticket = data({ ...TICKET_DATA, person_card: "bm9uZQ==" }, 201);
    const { failure, rest, codes } = pair([ticket, data(null)]);
    expect(await failure).toMatchObject({ code: "key_mismatch" });
    expect(codes).toEqual([]);
    expect(rest.requests.at(-1)?.method).toBe("DELETE");
  });

  it("survives polls that are lost, hang, or meet a hub in trouble", async () => {
    const trouble = { status: 502, body: "bad gateway" };
    const { pairing, clock, rest } = pair([TICKET, "lost", trouble, "hang", ACCEPTED]);
    await clock.advance(1000);
    expect(rest.requests).toHaveLength(3);
    await clock.advance(2000 + 35_000 + 4000);
    expect((await pairing).agent.status).toBe("connected");
  });

  it.each([
    ["refused", data({ status: "refused" })],
    ["expired", data({ status: "expired" })],
    ["expired", refusal(410, "PAIRING_EXPIRED")],
    ["expired", refusal(404, "NOT_FOUND")],
    ["hub_refused", refusal(401, "UNAUTHENTICATED")],
  ])("rejects with %s when the wait ends so, and withdraws nothing", async (code, answer) => {
    const { failure, rest } = pair([TICKET, WAITING, answer]);
    expect(await failure).toMatchObject({ name: "AgentError", code });
    expect(rest.requests.map(({ method }) => method)).toEqual(["POST", "GET", "GET"]);
  });

  it.each([
    ["too_many", refusal(429, "TOO_MANY_PAIRINGS")],
    ["manifest_invalid", refusal(413, "MANIFEST_TOO_LARGE")],
    ["hub_refused", refusal(400, "BAD_REQUEST")],
    ["hub_unreachable", "lost" as const],
    ["hub_unreachable", { status: 200, body: "<html>" }],
  ])("rejects with %s when the request itself fails so", async (code, answer) => {
    const { failure, codes } = pair([answer]);
    expect(await failure).toMatchObject({ name: "AgentError", code });
    expect(codes).toEqual([]);
  });

  it("says what is wrong with the manifest", async () => {
    const problems = [{ pointer: "/agent_version", code: "agent_version_not_semver" }];
    const { failure } = pair([refusal(422, "MANIFEST_INVALID", { problems })]);
    expect(await failure).toMatchObject({
      code: "manifest_invalid",
      problems,
      message: "manifest_invalid: /agent_version agent_version_not_semver",
    });
  });

  it("withdraws the request when aborted, with the token of the pairing", async () => {
    const abort = new AbortController();
    const { failure, rest, clock } = pair([TICKET, "hang", data(null)], { signal: abort.signal });
    await turn();
    abort.abort();
    expect(await failure).toMatchObject({ code: "aborted" });
    expect(rest.requests.at(-1)).toMatchObject({
      method: "DELETE",
      path: "/pairings/p1",
      authorization: "Bearer pt",
    });
    expect(clock.pending).toBe(0);
  });

  it.each(["", "x".repeat(65), "\u200b", "\ud83d", undefined, 7])(
    "asks nobody under the name %j, which no agent can have",
    async (name) => {
      const { failure, rest } = pair([], { name, storeCredentials: name === undefined });
      expect(await failure).toMatchObject({ name: "AgentError", code: "name_invalid" });
      expect(rest.requests).toEqual([]);
    },
  );

  it("asks nobody when already aborted", async () => {
    const { failure, rest } = pair([], { signal: AbortSignal.abort() });
    expect(await failure).toMatchObject({ code: "aborted" });
    expect(rest.requests).toEqual([]);
  });

  it("withdraws the request when its own time is over", async () => {
    const { failure, rest, clock } = pair([TICKET, "hang", data(null)], { timeoutMs: 5000 });
    await clock.advance(5000);
    expect(await failure).toMatchObject({ code: "expired" });
    expect(rest.requests.at(-1)?.method).toBe("DELETE");
  });

  it("gives up when the hub stays away until the pairing must have expired", async () => {
    const lost = Array.from({ length: 40 }, () => "lost" as const);
    const { failure, clock } = pair([TICKET, ...lost]);
    await clock.advance(400_000);
    expect(await failure).toMatchObject({ code: "hub_unreachable" });
  });

  it("withdraws the request when the code cannot be shown", async () => {
    const fault = new Error("no terminal");
    const onCode = () => {
      throw fault;
    };
    const { failure, rest } = pair([TICKET, data(null)], { onCode });
    expect(await failure).toBe(fault);
    expect(rest.requests.at(-1)?.method).toBe("DELETE");
  });
});

describe("init without a manifest", () => {
  it("reads the scopes from the hub, trying again while it cannot be reached", async () => {
    const hub = new FakeHub({ answers: ["lost", data({ capability_manifest: MANIFEST })] });
    const clock = new ManualTime();
    const starting = HasheeAgent.init(optionsAt(hub, clock));
    await clock.advance(1000);
    const agent = await starting;
    void agent.callTool(CONVERSATION, "read_file", { path: "/a" }).catch(() => {});
    await turn();
    expect(await hub.payloads()).toMatchObject([
      { artifact: { permission_scope: "filesystem:read" } },
    ]);
    expect(hub.rest.requests[1]).toMatchObject({
      path: `/agents/${AGENT_ID}`,
      authorization: `Bearer ${TOKEN}`,
    });
    agent.disconnect();
  });

  it.each([
    ["invalid_token", refusal(401, "UNAUTHENTICATED")],
    ["manifest_unavailable", refusal(404, "NOT_FOUND")],
  ])("rejects with %s and leaves nothing running", async (code, answer) => {
    const clock = new ManualTime();
    const options = optionsAt(new FakeHub({ answers: [answer] }), clock);
    await expect(HasheeAgent.init(options)).rejects.toMatchObject({ code });
    expect(clock.pending).toBe(0);
  });
});
