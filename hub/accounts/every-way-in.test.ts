import { beforeEach, describe, expect, test } from "vitest";
import { ClientFrame } from "../../app/protocol/v1/frames.ts";
import { ROUTES } from "../testing/hub-caller.ts";
import { type AddedAgent, HubRig, sampleManifest } from "../testing/hub-rig.ts";
import { InvitedPerson } from "../testing/invited-person.ts";
import { keysOf } from "../testing/key-owner.ts";
import { ofEachTest } from "../testing/of-each-test.ts";
import { openSocket, type TestClient } from "../testing/test-client.ts";

const rig = ofEachTest(new HubRig());
/** Whose everything is. */
let ada: InvitedPerson;
let agent: AddedAgent;
let pairingId: string;
/** Somebody else at the same hub, with an agent of their own. */
let ben: InvitedPerson;
let bens: AddedAgent;
beforeEach(async () => {
  ada = await InvitedPerson.at(rig, "ada");
  agent = await ada.addAgent();
  const asked = { name: "P", capability_manifest: sampleManifest(), user_id: "ada" };
  pairingId = (await rig.rest("POST", "/pairings", { body: asked })).json.data.pairing_id;
  ben = await InvitedPerson.at(rig, "ben");
  bens = await ben.addAgent();
});

/** The answer, or what of another's is in it. */
type Outcome = "NOT_FOUND" | "FORBIDDEN" | "UNAUTHENTICATED" | "NOT_A_MEMBER" | "own";
interface Row {
  readonly body?: () => unknown;
  readonly person: Outcome;
  /** Absent: only people may ask. */
  readonly agent?: Outcome;
}
const message = { client_message_id: "m", content_type: "text", encrypted_payload: "AGhp" };
const manifest = () => ({ capability_manifest: sampleManifest() });
const NOT_THEIRS: Row = { person: "NOT_FOUND", agent: "NOT_FOUND" };
const GONE: Row = { person: "NOT_FOUND" };

/** What somebody else gets who asks for it, at every route that asks who asks. */
const OTHERS: Readonly<Record<string, Row>> = {
  "GET /pairings": { person: "own" },
  "POST /pairings/:id/answer": {
    body: () => ({ accept: true, granted_scopes: [] }),
    person: "NOT_FOUND",
  },
  "POST /agents": { body: () => ({ name: "A", ...manifest() }), person: "own" },
  "PUT /agents/:id": {
    body: async () => ({
      name: "A",
      ...manifest(),
      identity_card: (await keysOf(agent.agentId, 0, "ratchet")).body.identity_card,
      relation_id: agent.relation.relation_id,
      conversation_id: agent.relation.conversation_id,
    }),
    person: "FORBIDDEN",
  },
  "PATCH /agents/:id": { body: manifest, person: "FORBIDDEN", agent: "UNAUTHENTICATED" },
  "POST /agents/:id/manifest-preview": { body: manifest, person: "FORBIDDEN" },
  "GET /h2a/relations": { person: "own" },
  "POST /h2a/relations": {
    body: () => ({ agent_id: agent.agentId, granted_scopes: [] }),
    person: "own",
  },
  "PATCH /h2a/relations/:id": { body: () => ({ granted_scopes: [] }), ...GONE },
  "POST /h2a/relations/:id/suspend": GONE,
  "POST /h2a/relations/:id/restore": GONE,
  "DELETE /h2a/relations/:id": GONE,
  "GET /h2a/relations/:id/ledger": NOT_THEIRS,
  "POST /h2a/relations/:id/ledger": { body: () => ({ index: 0, entry: "AAAA" }), ...GONE },
  "PUT /keys/mine": {
    body: async () => (await keysOf("ada", 0)).body,
    person: "FORBIDDEN",
    agent: "FORBIDDEN",
  },
  "GET /keys/mine": NOT_THEIRS,
  "GET /keys/:owner_id": NOT_THEIRS,
  "POST /keys/:owner_id/bundle": NOT_THEIRS,
  "POST /conversations": {
    body: () => ({ type: "group", user_ids: ["ada"] }),
    person: "NOT_FOUND",
    agent: "NOT_FOUND",
  },
  "GET /conversations": { person: "own", agent: "own" },
  "GET /conversations/:id": NOT_THEIRS,
  "PATCH /conversations/:id": { body: () => ({ title: "T" }), ...GONE },
  "POST /conversations/:id/members": { body: () => ({}), ...GONE },
  "DELETE /conversations/:id/members/:member_id": NOT_THEIRS,
  "POST /conversations/:id/read": { body: () => ({ seq: 1 }), ...NOT_THEIRS },
  "POST /conversations/:id/messages": {
    body: () => message,
    person: "NOT_A_MEMBER",
    agent: "NOT_A_MEMBER",
  },
};

const pathOf = (pattern: string): string =>
  pattern
    .replace("/pairings/:id", `/pairings/${pairingId}`)
    .replace("/agents/:id", `/agents/${agent.agentId}`)
    .replace("/relations/:id", `/relations/${agent.relation.relation_id}`)
    .replace("/conversations/:id", `/conversations/${agent.relation.conversation_id}`)
    .replace(":member_id", agent.agentId)
    .replace(":owner_id", agent.agentId);

test("every route is tried with what is somebody else's", () => {
  const personal = ROUTES.filter(({ auth }) => auth === "person" || auth === "member");
  const named = personal.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(Object.keys(OTHERS))).toEqual(new Set(named));
  for (const { method, path, auth } of personal) {
    const { agent: ofAgent } = OTHERS[`${method} ${path}`] ?? {};
    if (ofAgent !== undefined) expect([method, path, auth]).toEqual([method, path, "member"]);
  }
});

describe("somebody else's", () => {
  test.each(Object.entries(OTHERS))("%s", async (name, row) => {
    const [method = "", pattern = ""] = name.split(" ");
    const proofs = [
      ["person", ben.token],
      ["agent", bens.token],
    ] as const;
    for (const [who, token] of proofs) {
      const expected = row[who];
      if (expected === undefined) continue;
      const sent = { token, body: await row.body?.() };
      const { json, text } = await rig.rest(method, pathOf(pattern), sent);
      expect([who, json.error?.code ?? "own"]).toEqual([who, expected]);
      // Nothing but what the asker named.
      const ids = [pairingId, agent.relation.relation_id, agent.relation.conversation_id];
      const told = ids.filter((id) => text.includes(id) && !pathOf(pattern).includes(id));
      expect(told).toEqual([]);
    }
    const [mine] = (await ada.ask("GET", "/h2a/relations")).json.data;
    expect(mine).toMatchObject({ status: "active", granted_scopes: ["filesystem:read"] });
  });
});

const guarded = ROUTES.filter(({ auth }) => auth !== "none");

describe("no proof, a wrong, a suspended and a removed one open nothing", () => {
  test.each(guarded.map(({ method, path }) => [method, path]))("%s %s", async (method, pattern) => {
    const suspended = await InvitedPerson.at(rig, "dan", "owner");
    const removed = await InvitedPerson.at(rig, "carol", "owner");
    await rig.asPerson("POST", "/people/dan/suspend");
    await rig.asPerson("DELETE", "/people/carol");
    const removedAgent = await ada.addAgent();
    await ada.ask("DELETE", `/h2a/relations/${removedAgent.relation.relation_id}`);
    const proofs = {
      none: ["", "UNAUTHENTICATED"],
      wrong: ["eyJhbGciOiJub25lIn0.e30.", "UNAUTHENTICATED"],
      suspended: [suspended.token, "UNAUTHENTICATED"],
      removed: [removed.token, "UNAUTHENTICATED"],
      removedAgent: [
        removedAgent.token,
        expect.stringMatching(/^(?:UNAUTHENTICATED|AGENT_REMOVED)$/),
      ],
    };
    const body = await OTHERS[`${method} ${pattern}`]?.body?.();
    for (const [which, [token, code]] of Object.entries(proofs)) {
      const sent = token === "" ? { body } : { token, body };
      const { json } = await rig.rest(method, pathOf(pattern), sent);
      expect([which, json.error?.code]).toEqual([which, code]);
    }
  });
});

const ofConversation = () => ({ conversation_id: agent.relation.conversation_id });
const stream = (type: string) => ({ type, ...ofConversation(), stream_id: "s" });
/** Each frame about another's conversation, and what comes back to its sender alone. */
const FRAMES: Readonly<Record<string, () => readonly [frame: object, answer: string | null]>> = {
  "message.send": () => [
    { type: "message.send", ...ofConversation(), ...message },
    "message.refused",
  ],
  "message.received": () => [
    { type: "message.received", ...ofConversation(), conversation_seq: 1 },
    null,
  ],
  "message.read": () => [{ type: "message.read", ...ofConversation(), seq: 1 }, null],
  "notice.received": () => [{ type: "notice.received", notice_id: "1" }, null],
  "history.full": () => [{ type: "history.full", agent_id: agent.agentId, full: true }, null],
  "stream.start": () => [stream("stream.start"), null],
  "stream.delta": () => [stream("stream.delta"), null],
  "stream.done": () => [stream("stream.done"), null],
  "stream.abort": () => [stream("stream.abort"), null],
  "typing.start": () => [{ type: "typing.start", ...ofConversation() }, null],
  "typing.stop": () => [{ type: "typing.stop", ...ofConversation() }, null],
  pong: () => [{ type: "pong" }, null],
};

/** The words that a schema takes as `type`. */
const typesOf = (schema: object): readonly string[] =>
  JSON.stringify(schema)
    .match(/"(?:[a-z]+\.[a-z]+|pong)"/g)
    ?.map((word) => word.slice(1, -1)) ?? [];

test("every frame is tried", () => {
  expect(new Set(Object.keys(FRAMES))).toEqual(new Set(typesOf(ClientFrame)));
});

const socket = async (path: string): Promise<TestClient> =>
  (await openSocket(rig.wsUrl(path))).client;

describe("a frame", () => {
  test.each(Object.entries(FRAMES))(
    "%s changes and shows nothing of somebody else's",
    async (_, of) => {
      const [frame, answer] = of();
      const own = await ada.connect();
      await own.settled();
      const theirs = await rig.agent(agent);
      await theirs.settled();
      for (const stranger of [await ben.connect(), await rig.agent(bens)]) {
        await stranger.settled();
        stranger.send(frame);
        if (answer !== null) expect(await stranger.next(answer)).toBeDefined();
        await stranger.settled();
      }
      theirs.send({ type: "message.send", ...ofConversation(), ...message });
      const { conversation_seq } = await own.next("message.new");
      expect(conversation_seq).toBe(1);
      const shown = [...own.frames, ...theirs.frames].map(({ type }) => type);
      expect(shown.filter((type) => /^(?:stream|typing|message\.read)/.test(type))).toEqual([]);
    },
  );

  test.each(Object.entries(FRAMES))("%s is none without a proof", async (_, of) => {
    const [frame] = of();
    for (const path of ["/ws/human", `/ws/agent?agent_id=${agent.agentId}`]) {
      const client = await socket(path);
      client.send(frame);
      expect(await client.next("auth.error")).toMatchObject({ reason: "malformed_frame" });
    }
  });

  test.each(
    Object.entries(FRAMES).flatMap(([name, of]) =>
      (["suspend", "remove"] as const).map((what) => [name, what, of] as const),
    ),
  )("%s of a connection that a %s has ended is none", async (_, what, of) => {
    const [frame] = of();
    const own = await ada.connect();
    await own.settled();
    const theirs = await rig.agent(agent);
    await theirs.settled();
    const before = theirs.frames.length;
    if (what === "suspend") await rig.asPerson("POST", "/people/ada/suspend");
    else await rig.asPerson("DELETE", "/people/ada");
    own.send(frame);
    expect(await own.closed).toBe(4401);
    if (what === "suspend") await theirs.settled();
    const told = theirs.frames.slice(before).map(({ type }) => type);
    expect(told.filter((type) => /^(?:message|stream|typing)/.test(type))).toEqual([]);
  });

  test("auth of none, a wrong, another's, a suspended and a removed proof lets nobody in", async () => {
    await rig.asPerson("POST", "/people/ben/suspend");
    const carol = await InvitedPerson.at(rig, "carol");
    await rig.asPerson("DELETE", "/people/carol");
    await ada.ask("DELETE", `/h2a/relations/${agent.relation.relation_id}`);
    const agentPath = `/ws/agent?agent_id=${agent.agentId}`;
    const tried: readonly (readonly [path: string, token: string, reason: string])[] = [
      ["/ws/human", "", "invalid_token"],
      ["/ws/human", "eyJhbGciOiJub25lIn0.e30.", "invalid_token"],
      ["/ws/human", ben.token, "invalid_token"],
      ["/ws/human", carol.token, "invalid_token"],
      ["/ws/human", bens.token, "invalid_token"],
      [agentPath, ada.token, "invalid_token"],
      [agentPath, bens.token, "invalid_token"],
      [agentPath, agent.token, "agent_removed"],
    ];
    for (const [path, token, reason] of tried) {
      const client = await socket(path);
      client.send({ type: "auth", token });
      const refused = await client.next("auth.error");
      expect([path, token, refused.reason]).toEqual([
        path,
        token,
        token === "" ? expect.stringMatching(/invalid_token|malformed_frame/) : reason,
      ]);
    }
  });
});

test("who asks without a proof learns nothing of who exists", async () => {
  const known = await new InvitedPerson(rig.url, "ada").signIn();
  const unknown = await new InvitedPerson(rig.url, "nobody").signIn();
  expect(known.text).toBe(unknown.text);
  expect(known.status).toBe(unknown.status);
  const invitation = `hsi_${"0".repeat(40)}`;
  const asked = [
    await new InvitedPerson(rig.url, "ada").signIn({ invitation }),
    await new InvitedPerson(rig.url, "nobody").signIn({ invitation }),
  ];
  expect(asked[0]?.text).toBe(asked[1]?.text);
});
