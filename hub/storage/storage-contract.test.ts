import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { digestOf } from "../../app/contract/digest.ts";
import type { JsonValue } from "../../app/contract/json.ts";
import type { Manifest } from "../../app/contract/manifest.ts";
import { UNDELIVERED_AT_MOST } from "../../app/protocol/v1/frames.ts";
import { realClock } from "../../sdk/options.ts";
import type { Admission, NewAgent, NewMessage, NewPairing, Relation } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { sampleManifest } from "../testing/hub-rig.ts";
import { openLateStorage } from "../testing/late-storage.ts";
import { dropTestDatabases, hasPostgres, openTestPostgres } from "../testing/test-postgres.ts";
import { openStorage } from "./open-storage.ts";

const manifest = sampleManifest() as unknown as Manifest;

/** What every storage of the hub has to hold, whatever database is behind it. */
describe.each([
  ["SQLite", openStorage],
  ["a storage that answers late", openLateStorage],
  ...(hasPostgres ? [["PostgreSQL", openTestPostgres] as const] : []),
] as const)("%s", (name, open) => {
  let folder: string;
  let storage: HubStorage;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "hub-storage-"));
    storage = await opened();
  });
  afterEach(async () => {
    await storage.close();
    rmSync(folder, { recursive: true });
    await dropTestDatabases();
  });

  const opened = () =>
    open({
      databasePath: join(folder, "hub.db"),
      clock: { now: () => 0 },
      random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
      log: () => undefined,
      scheduler: realClock,
    });
  const person = { id: "person", type: "human" } as const;

  const agentOf = (agent_id: string): NewAgent => ({
    agent_id,
    owner_id: "person",
    name: "Agent",
    token_hash: Buffer.from(`token of ${agent_id}`),
    manifest,
    manifest_hash: digestOf(manifest as unknown as JsonValue),
    created_at: 0,
  });
  const relationOf = (agent_id: string): Relation => ({
    relation_id: `relation-${agent_id}`,
    agent_id,
    user_id: "person",
    conversation_id: `talk-${agent_id}`,
    granted_scopes: ["filesystem:read"],
    status: "active",
    connection_mode: "websocket",
    reauth: null,
    answer: null,
  });
  const pairingOf = (pairing_id: string, user_id = "person"): NewPairing => ({
    pairing_id,
    user_id,
    shown: {
      ...{ pairing_id, code: "ABC-DEF", name: "Agent", capability_manifest: manifest },
      ...{ capability_manifest_hash: "hash", expires_at: "later" },
    },
    token_hash: Buffer.from(pairing_id),
    agent_token_hash: Buffer.from(`token of ${pairing_id}`),
    expires_at: 100,
  });
  const card = (owner_id: string, key_id = "key") => ({
    owner_id,
    key_id,
    identity_card: Buffer.from(key_id),
    signed_prekey: Buffer.from("signed"),
  });
  const added = async (agentId: string): Promise<Relation> => {
    const relation = relationOf(agentId);
    await storage.openPairing(pairingOf(agentId), 9, 0);
    await storage.acceptPairing(agentId, agentOf(agentId), card(agentId), relation, 1);
    return relation;
  };
  const message = (id: string, change: Partial<NewMessage> = {}): NewMessage => ({
    message_id: `message-${id}`,
    conversation_id: "talk-a",
    sender_id: "person",
    sender_type: "human",
    client_message_id: id,
    content_type: "text",
    msg_subtype: null,
    payload: "AGhp",
    created_at: 0,
    ...change,
  });
  const admission: Admission = { bytes: 0, isCall: false, isInHistory: true, refusal: null };
  const say = (id: string, change: Partial<NewMessage> = {}) =>
    storage.acceptMessage(message(id, change), admission);
  const waiting = async (id: string) =>
    (await storage.undelivered(id, 0, 100)).map(({ message_id }) => message_id);
  const revoked = (present: Relation | undefined) => ({
    relation: { ...(present ?? relationOf("a")), status: "revoked" as const },
    events: [],
  });

  test("keeps everything across a restart, including the person's id", async () => {
    const relation = await added("a");
    expect(await storage.localPerson("person")).toBe("person");
    await say("m");
    await storage.close();
    storage = await opened();
    expect(await storage.localPerson("other")).toBe("person");
    expect(await storage.relationsOf(person)).toEqual([relation]);
    expect(await storage.agent("a")).toMatchObject({ capability_manifest: manifest });
    const holder = { agent_id: "a", isRemoved: false };
    expect(await storage.agentWithToken(agentOf("a").token_hash)).toEqual(holder);
    expect(await waiting("a")).toEqual(["message-m"]);
  });

  test("stores nothing when a decision throws", async () => {
    await added("a");
    const refuse = () => {
      throw new RangeError("refused");
    };
    const before = await storage.snapshot(person);
    const tries = [
      storage.changeRelation({ relation_id: "relation-a" }, refuse),
      storage.changeGroup("talk-a", person, [], refuse),
      storage.createGroup(person, ["a"], refuse),
      storage.replaceManifest("a", { manifest, manifest_hash: "other" }, refuse),
      storage.publishKeys({ id: "a", type: "agent" }, card("a", "other"), [], refuse),
    ];
    for (const each of await Promise.allSettled(tries)) {
      expect(each).toMatchObject({ reason: { message: "refused" } });
    }
    expect(await storage.snapshot(person)).toEqual(before);
    expect(await storage.agent("a")).toMatchObject({ capability_manifest_version: 1 });
  });

  test("accepts an agent's id once, and reports when it is taken", async () => {
    const accept = (pairing: string, name: string) => {
      const relation = { ...relationOf("a"), relation_id: name, conversation_id: name };
      return storage.acceptPairing(pairing, { ...agentOf("a"), name }, undefined, relation, 200);
    };
    for (const pairing of ["p", "q"]) await storage.openPairing(pairingOf(pairing), 9, 0);
    const both = await Promise.all([accept("p", "x"), accept("p", "y")]);
    const [won, lost] = both[0] === null ? ["y", "x"] : ["x", "y"];
    expect(both.toSorted((a) => (a === null ? 1 : -1))).toEqual([{ personCard: null }, null]);
    expect(await accept("q", "z")).toBeUndefined();
    expect(await storage.agent("a")).toMatchObject({ name: won });
    expect(await storage.conversation(lost)).toBeUndefined();
    expect(await storage.pairing("p")).toMatchObject({ status: "accepted", agent_id: "a" });
    await storage.collectPairing("a", 300);
    expect(await storage.pairing("p")).toMatchObject({ status: "collected", forget_at: 300 });
    expect([await storage.isTaken("a"), await storage.isTaken("b")]).toEqual([true, false]);
  });

  test("lets so many pairings wait for a person, and each end once", async () => {
    const open = (id: string, now = 0) => storage.openPairing(pairingOf(id), 2, now);
    expect([await open("p"), await open("q"), await open("r")]).toEqual([true, true, false]);
    expect(await storage.openPairing(pairingOf("s", "other"), 2, 0)).toBe(true);
    const ends = (["refused", "withdrawn"] as const).map((end) =>
      storage.closePairing("p", end, 5),
    );
    expect(await Promise.all(ends)).toEqual([true, false]);
    const ids = async (now: number) =>
      (await storage.pairingsWaiting("person", now)).map(({ pairing_id }) => pairing_id);
    expect([await ids(0), await ids(100)]).toEqual([["q"], []]);
    expect(await storage.pairing("q")).toMatchObject({
      ...pairingOf("q"),
      ...{ status: "waiting", agent_id: null, forget_at: null },
      ...{ token_hash: expect.anything(), agent_token_hash: expect.anything() },
    });
    expect([await open("r", 6), await storage.pairing("p")]).toEqual([true, undefined]);
  });

  test("takes an agent in that its owner brings along, and gives it a token until it has come", async () => {
    const relation = relationOf("a");
    const card = {
      owner_id: "a",
      key_id: "key",
      identity_card: Buffer.from("card"),
      signed_prekey: null,
    };
    const arrive = (agent: NewAgent, lastSeq = 0, isOwn = true) =>
      storage.arrive(agent, card, relation, lastSeq, () => isOwn);
    const seen: unknown[] = [];
    const asked = await storage.arrive(agentOf("a"), card, relation, 0, (...there) => {
      seen.push(there);
      return false;
    });
    expect([asked, seen]).toEqual([undefined, [[undefined, undefined, false]]]);
    expect(await storage.agent("a")).toBeUndefined();
    expect(await arrive(agentOf("a"), 1_000)).toBe(true);
    const renewed = { ...agentOf("a"), token_hash: Buffer.from("another") };
    expect(await arrive(renewed, 500)).toBe(true);
    expect(await storage.agentWithToken(agentOf("a").token_hash)).toBeUndefined();
    expect(await storage.agentWithToken(renewed.token_hash)).toMatchObject({ agent_id: "a" });
    expect((await storage.conversationsOf("a"))[0]?.last_seq).toBe(1_000);
    const published = { ...card, signed_prekey: Buffer.from("prekey") };
    await storage.publishKeys({ id: "a", type: "agent" }, published, [], () => undefined);
    await storage.changeRelation({ relation_id: relation.relation_id }, (_, present) => ({
      relation: { ...(present ?? relation), status: "suspended" },
      events: [],
    }));
    expect(await arrive(agentOf("a"), 2_000)).toBe(false);
    expect(await storage.agentWithToken(renewed.token_hash)).toMatchObject({ agent_id: "a" });
    expect(await storage.relation(relation.relation_id)).toMatchObject({ status: "active" });
    await arrive(agentOf("a"), 0, false);
    const other = { ...card, owner_id: "b" };
    const taken = { ...relationOf("b"), conversation_id: relation.conversation_id };
    await storage.arrive(agentOf("b"), other, taken, 0, (there, present, isTaken) => {
      seen.push([there, present, isTaken]);
      return false;
    });
    expect(seen.at(-1)).toEqual([undefined, undefined, true]);
  });

  test("resolves writes in the order in which they were asked, and numbers them so", async () => {
    await added("a");
    const order: string[] = [];
    const ids = ["m1", "m2", "m3"];
    const kept = await Promise.all(
      ids.map(async (id) => {
        const one = await say(id);
        order.push(id);
        return "refused" in one ? undefined : one.receipt.conversation_seq;
      }),
    );
    expect([order, kept]).toEqual([ids, [1, 2, 3]]);
  });

  // In PostgreSQL a message is stored as soon as it is accepted.
  const notStored = test.skipIf(name === "PostgreSQL");
  notStored(
    "calls a message safe when its last recipient reports it, without waiting to store it",
    async () => {
      await Promise.all([added("a"), added("b")]);
      const safe: string[] = [];
      const sent = async (id: string, change: Partial<NewMessage> = {}) => {
        const kept = await say(id, change);
        if (!("safe" in kept)) throw new Error("refused");
        return kept.safe(true).then(() => safe.push(id));
      };
      const unreported = sent("m1");
      const reported = sent("m2", { conversation_id: "talk-b" });
      const resent = sent("m2", { conversation_id: "talk-b" });
      await storage.received("b", "talk-b", 1);
      await Promise.all([unreported, reported, resent]);
      expect(safe).toEqual(["m2", "m2", "m1"]);
    },
  );

  test("recognizes a resend, and asks no rule about it", async () => {
    await added("a");
    const mine = { sender_id: "a", sender_type: "agent" } as const;
    const asked: (readonly Manifest[])[] = [];
    const refusal = (manifests: readonly Manifest[]) => {
      asked.push(manifests);
      return undefined;
    };
    const ruled = { ...admission, bytes: 10, refusal };
    const both = [1, 2].map(() => storage.acceptMessage(message("m", mine), ruled));
    const [first, second] = await Promise.all(both);
    expect(first).toMatchObject({ deliveries: [{ recipient_id: "person" }] });
    expect(second).toMatchObject({ receipt: { conversation_seq: 1 }, deliveries: [] });
    expect(asked).toEqual([[manifest]]);
  });

  test("lets an agent make 60 calls a minute, whatever they are in, and one of them twice", async () => {
    await Promise.all([added("a"), added("b")]);
    const call = (id: string, sender_id = "a") =>
      storage.acceptMessage(
        message(id, { sender_id, sender_type: "agent", conversation_id: `talk-${sender_id}` }),
        { ...admission, bytes: 10, isCall: true },
      );
    const ids = Array.from({ length: 70 }, (_, nth) => `c${nth}`);
    const all = await Promise.all(ids.map((id) => call(id)));
    const late = all.filter((each) => "refused" in each);
    expect(late.length).toBe(10);
    expect(late[0]).toMatchObject({ refused: "RATE_LIMITED", retryAfterMs: expect.any(Number) });
    expect(await call("c0")).toMatchObject({ deliveries: [] });
    expect(await call("c0", "b")).toMatchObject({ receipt: { conversation_seq: 1 } });
  });

  test("keeps nothing for a full history, until it is forgotten", async () => {
    await added("a");
    const mine = { sender_id: "a", sender_type: "agent" } as const;
    await storage.setHistoryFull("person", "a", true);
    expect(await say("m1", mine)).toEqual({ refused: "HISTORY_FULL" });
    const apart = { ...admission, isInHistory: false };
    expect(await storage.acceptMessage(message("m2", mine), apart)).toHaveProperty("receipt");
    await storage.forgetFullHistories("person");
    expect(await say("m1", mine)).toHaveProperty("receipt");
  });

  test("refuses a message from a non-member or a lone member, and for a full queue", async () => {
    await added("a");
    const refused = (code: string) => ({ refused: code });
    expect(await say("m", { sender_id: "stranger" })).toEqual(refused("NOT_A_MEMBER"));
    expect(await say("m", { conversation_id: "none" })).toEqual(refused("NOT_A_MEMBER"));
    const ids = Array.from({ length: UNDELIVERED_AT_MOST }, (_, nth) => `m${nth}`);
    await Promise.all(ids.map((id) => say(id)));
    expect(await say("over")).toEqual(refused("RECIPIENT_QUEUE_FULL"));
    await storage.received("a", "talk-a", 1);
    expect(await say("over")).toMatchObject({
      receipt: { conversation_seq: UNDELIVERED_AT_MOST + 1 },
    });
    await storage.changeRelation({ relation_id: "relation-a" }, (_, present) => revoked(present));
    expect(await say("after")).toEqual(refused("NOT_A_MEMBER"));
  });

  test("makes an invitation one account, and gives it again to the same key alone", async () => {
    const hash = Buffer.from("hash");
    const invited = { token_hash: hash, name: "Ada", role: "member", expires_at: 9 } as const;
    const by = (user_id: string, key_id = `key of ${user_id}`) => ({
      ...{ user_id, key_id },
      created_at: 5,
    });
    await storage.invite(invited, 0);
    expect(await storage.join(Buffer.from("other"), by("ada"))).toBeUndefined();
    expect(await storage.join(hash, { ...by("ada"), created_at: 10 })).toBeUndefined();
    await added("a");
    expect(await storage.join(hash, by("a"))).toBeUndefined();
    const account = { ...by("ada"), name: "Ada", role: "member", status: "active" };
    const joined = await Promise.all([
      storage.join(hash, by("ada")),
      storage.join(hash, by("ben")),
      storage.join(hash, by("ada")),
      storage.join(hash, by("ada", "another key")),
    ]);
    expect(joined).toEqual([account, undefined, account, undefined]);
    expect(await storage.setAccountStatus("ada", "suspended")).toMatchObject({
      status: "suspended",
    });
    expect(await storage.setAccountStatus("none", "active")).toBeUndefined();
    expect(await storage.accounts()).toEqual([{ ...account, status: "suspended" }]);
    expect([await storage.removeAccount("ada"), await storage.removeAccount("ada")]).toEqual([
      true,
      false,
    ]);
    expect(await storage.account("ada")).toBeUndefined();
    expect(await storage.join(hash, by("ada"))).toBeUndefined();
  });

  test("ends a relation with everything that depends on it", async () => {
    await added("a");
    await added("b");
    const members = ["a", "b"].map((member_id) => ({ member_id, member_type: "agent" }) as const);
    await storage.createGroup(person, ["a", "b"], ({ related }) => {
      expect([...related].toSorted()).toEqual(["a", "b"]);
      return { conversation_id: "group", ownerId: "person", title: null, members };
    });
    await Promise.all([say("m1"), say("m2", { conversation_id: "group" })]);
    const { groupsLeft } = await storage.changeRelation(
      { agent_id: "a", user_id: "person" },
      (_, present) => revoked(present),
    );
    expect(groupsLeft).toMatchObject([{ conversation_id: "group", memberCount: 2 }]);
    expect([await waiting("a"), await waiting("b")]).toEqual([[], ["message-m2"]]);
    const holder = await storage.agentWithToken(agentOf("a").token_hash);
    expect(holder).toEqual({ agent_id: "a", isRemoved: true });
    expect((await storage.conversationsOf("person")).map((each) => each.conversation_id)).toEqual([
      "talk-b",
      "group",
    ]);
  });

  test("moves read marks forward only, and not beyond the last message", async () => {
    await added("a");
    await Promise.all([say("m1"), say("m2")]);
    const mark = async (seq: number) => {
      const { members, ...moved } = (await storage.markRead("talk-a", "a", seq)) ?? {};
      return moved;
    };
    expect(await mark(9)).toEqual({ seq: 2, hasMoved: true });
    expect(await mark(1)).toEqual({ seq: 2, hasMoved: false });
    expect(await storage.markRead("talk-a", "stranger", 1)).toBeUndefined();
  });

  test("hands a one-time prekey to one asker, and keys to those who share a conversation", async () => {
    await added("a");
    const agent = { id: "a", type: "agent" } as const;
    const keys = card("a");
    await storage.publishKeys(agent, keys, [Buffer.from("1"), Buffer.from("2")], () => undefined);
    const taken = await Promise.all([1, 2, 3].map(() => storage.takeBundle("a", "person")));
    expect(taken.map((each) => each?.oneTimePrekey?.toString() ?? null)).toEqual(["1", "2", null]);
    expect(await storage.keysOf("a", "stranger")).toBeUndefined();
    expect(await storage.sharingWith("a")).toEqual(["person"]);
    let changes = 0;
    const other = card("a", "other");
    const published = storage.publishKeys(agent, other, [], () => {
      changes += 1;
    });
    expect([await published, changes]).toEqual([{ isChanged: true, oneTimeLeft: 0 }, 1]);
  });

  test("accepts one entry for each place of a ledger", async () => {
    const entries = ["one", "other"].map((text) => storage.appendLedger("r", 0, Buffer.from(text)));
    expect(await Promise.all(entries)).toEqual([
      { isKept: true, length: 1 },
      { isKept: false, length: 1 },
    ]);
    const { entries: kept } = await storage.ledger("r", 0);
    expect(kept.map(String)).toEqual(["one"]);
  });

  test("keeps events for agents that are called alone, in their place among the messages", async () => {
    const relation = await added("a");
    const event = (event_id: string) => ({
      event_id,
      type: "t",
      payload: "{}",
      created_at: 0,
    });
    const note = (id: string) =>
      storage.changeRelation({ agent_id: "a", user_id: "person" }, () => ({
        relation,
        events: [event(id)],
      }));
    await note("unheard");
    await storage.setWebhook({ agent_id: "a", url: "http://localhost/", secret: "s" });
    await say("m1");
    await note("e1");
    await say("m2");
    const came: string[] = [];
    for (;;) {
      const next = await storage.nextDelivery("a", "talk-a");
      if (next === undefined) break;
      came.push(next.kind === "event" ? next.event.event_id : next.message.message_id);
      await storage.settleDelivery("a", next);
    }
    expect(came).toEqual(["message-m1", "e1", "message-m2"]);
    expect(await storage.lanes("a")).toEqual([]);
  });

  test("prunes what everybody has received, and nothing else", async () => {
    await added("a");
    await Promise.all([say("m1"), say("m2")]);
    await storage.received("a", "talk-a", 1);
    await storage.prune(1);
    expect(await waiting("a")).toEqual(["message-m2"]);
    expect(await say("m1")).toMatchObject({ receipt: { conversation_seq: 3 } });
  });
});
