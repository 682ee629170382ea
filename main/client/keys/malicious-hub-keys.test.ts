import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { toBase64 } from "../../../app/contract/base64.ts";
import { createIdentity, encodeCard, readCard } from "../../../app/encryption/identity/identity.ts";
import {
  type TestEnd,
  type TestWorld,
  testEnd,
  testWorld,
} from "../../../app/encryption/testing/correspondents.ts";
import { nodePrimitives as crypto } from "../../../runtime/crypto/node-primitives.ts";
import { DeceivedClient, PATIENCE_MS } from "../testing/deceived-client.ts";
import { eventually } from "../testing/eventually.ts";
import type { LaunchedClient } from "../testing/launched-client.ts";
import type { Frame, MeddlingHub } from "../testing/meddling-hub.ts";
import { bytesOf, field, PublishedKeys, signedPrekeyIn } from "../testing/published-keys.ts";
import type { TestAgent } from "../testing/test-agent.ts";
import { ALL_SCOPES } from "../testing/test-manifest.ts";

const answer = (name: string, bytes: Uint8Array) => ({ data: { [name]: toBase64(bytes) } });
const flipped = (bytes: Uint8Array, at: number) => bytes.with(at, (bytes[at] ?? 0) ^ 1);

/** Somebody without the owner's keys who uses the owner's id. */
const impostorOf = (ownerId: string, world = testWorld(crypto)): Promise<TestEnd> =>
  testEnd(world, ownerId, "agent");
async function bundleIn({ directory }: TestWorld, ownerId: string): Promise<Uint8Array> {
  return (await directory.for(ownerId).bundle(ownerId)) ?? new Uint8Array(0);
}
const flippedAtEnd = (text: string): string => {
  const bytes = bytesOf(text);
  return toBase64(flipped(bytes, bytes.length - 64));
};

describe("a hub that replaces keys", { timeout: PATIENCE_MS }, () => {
  let deceived: DeceivedClient;
  let client: LaunchedClient;
  let hub: MeddlingHub;

  beforeAll(async () => {
    deceived = await DeceivedClient.start();
    ({ client, hub } = deceived);
  }, PATIENCE_MS);

  beforeEach(() => deceived.begin());

  afterAll(() => deceived.end());

  const keyOf = async ({ id }: TestAgent) =>
    (await client.snapshot()).keys.agents.find(({ agent_id }) => agent_id === id);

  /** From then on the person has published their keys. */
  const keysPublished = async () => void (await (await client.addAgent()).notify());

  /** As the page shows it while the pairing waits. */
  async function shownSafety(code: string) {
    const { pairing_id } = await client.shownPairing(code);
    const { pairings } = (await client.snapshot()).keys;
    return pairings.find((each) => each.pairing_id === pairing_id)?.safety;
  }

  it("is exposed by the safety number if it paired in the agent's place, and gets nothing run", async () => {
    await keysPublished();
    const before = client.platform.sideEffects;
    let exchanged: string | undefined;
    hub.asked = async (way, body) => {
      if (way !== "POST /pairings" && way !== "PUT /keys/mine") return body;
      const { ownerId, level } = await readCard(crypto, bytesOf(body.identity_card));
      exchanged ??= toBase64(encodeCard((await createIdentity(crypto, ownerId, level)).card));
      return { ...body, identity_card: exchanged };
    };
    const pairing = client.pair("Exchanged");
    const shown = await shownSafety(await pairing.code);
    expect(await pairing.safety).not.toEqual(shown);
    await client.acceptPairing(await pairing.code, ALL_SCOPES);
    const { sdk, credentials, notify } = await pairing.agent;
    const own = await eventually(() => sdk.safetyNumber(credentials.userId).catch(() => undefined));
    expect(shown?.digits).toMatch(/^[0-9 ]{71}$/);
    expect(own).not.toEqual(shown);
    void notify();
    await deceived.refusedAs("wrong_sender");
    expect(client.platform.sideEffects).toBe(before);
  });

  it("shows both ends the same number before the person answers, unless it lies", async () => {
    await keysPublished();
    const pairing = client.pair("Compared");
    const shown = await shownSafety(await pairing.code);
    expect(await pairing.safety).toEqual(shown);
    await client.acceptPairing(await pairing.code, ALL_SCOPES);
    const { sdk, credentials } = await pairing.agent;
    expect(await sdk.safetyNumber(credentials.userId)).toEqual(shown);
  });

  it("gets nobody asked with a card that its owner did not sign", async () => {
    hub.asked = (way, body) =>
      way === "POST /pairings"
        ? { ...body, identity_card: flippedAtEnd(String(body.identity_card)) }
        : body;
    const { agent } = client.pair("Forged");
    await expect(agent).rejects.toMatchObject({ code: "hub_refused", hubCode: "BAD_REQUEST" });
    expect((await client.snapshot()).pairings).toEqual([]);
  });

  it("is found out if it shows the agent a key of the person's and delivers another", async () => {
    await keysPublished();
    const impostor = toBase64((await impostorOf("somebody-else")).mail.card);
    for (const shows of [impostor, "no card"]) {
      hub.answered = (way, body) => {
        if (way !== "POST /pairings") return body;
        return { data: { ...(body.data as Frame), person_card: shows } };
      };
      const pairing = client.pair("Deceived");
      const failed = expect(pairing.agent).rejects.toMatchObject({ code: "key_mismatch" });
      if (shows === impostor) await client.acceptPairing(await pairing.code, ALL_SCOPES);
      await failed;
    }
    await eventually(async () =>
      (await client.snapshot()).pairings.length === 0 ? true : undefined,
    );
  });

  it("cannot put another key in the directory in place of the one whose number was compared", async () => {
    hub.answered = async (way, body) => {
      const [, userId] = /^GET \/keys\/(?!mine)(.+)/.exec(way) ?? [];
      if (userId === undefined) return body;
      return answer("identity_card", (await impostorOf(userId)).mail.card);
    };
    const pairing = client.pair("Compared");
    const shown = await shownSafety(await pairing.code);
    await client.acceptPairing(await pairing.code, ALL_SCOPES);
    const { sdk, credentials, notify } = await pairing.agent;
    expect(await notify()).toEqual({ result: { shown: true, folded: false } });
    expect(await sdk.safetyNumber(credentials.userId)).toEqual(shown);
  });

  it("cannot make the agent start a session with keys that are not the person's", async () => {
    const agent = await client.addAgent();
    const { userId } = agent.credentials;
    const world = testWorld(crypto);
    await impostorOf(userId, world);
    const impostor = await bundleIn(world, userId);
    const bundle = `POST /keys/${userId}/bundle`;
    // The one-time prekey's key stands before its signature, at the end; the other's in the middle.
    for (const [code, change] of [
      ["bad_prekey", (bytes: Uint8Array) => flipped(bytes, bytes.length - 64 - 32)],
      ["bad_prekey", (bytes: Uint8Array) => flipped(bytes, bytes.length - 2 * (64 + 32))],
      ["bad_identity", (bytes: Uint8Array) => flipped(bytes, 40)],
      ["bad_identity", () => impostor],
    ] as const) {
      hub.answered = (way, body) =>
        way === bundle ? answer("bundle", change(field(body, "bundle"))) : body;
      expect(await agent.notify()).toEqual({ refused: code });
    }
    hub.honest();
    expect(await agent.notify()).toEqual({ result: { shown: true, folded: false } });
  });

  it("cannot make the agent write to somebody with another owner's card", async () => {
    hub.answered = async (way, body) => {
      // Without a card in the pairing the agent asks the directory.
      if (/^(?:POST|GET) \/pairings/.test(way))
        return { data: { ...(body.data as Frame), person_card: null } };
      if (!/^GET \/keys\/(?!mine)/.test(way)) return body;
      return answer("identity_card", (await impostorOf("somebody-else")).mail.card);
    };
    const agent = await client.addAgent();
    expect(await agent.notify()).toEqual({ refused: "bad_identity" });
    hub.honest();
    expect(await agent.notify()).toEqual({ result: { shown: true, folded: false } });
  });

  it("cannot make the person write with a prekey that is not the agent's", async () => {
    hub.asked = (way, body) => {
      if (way !== "PUT /keys/mine") return body;
      const signed_prekey = toBase64(flipped(bytesOf(body.signed_prekey), 20));
      return { ...body, signed_prekey, one_time_prekeys: [] };
    };
    let isPublished = false;
    hub.answered = (way, body) => {
      isPublished ||= way === "PUT /keys/mine";
      return body;
    };
    const { conversationId: conversation_id } = (await client.addAgent()).credentials;
    await eventually(async () => isPublished || undefined);
    const text = { text: "For the agent alone", client_message_id: "no-prekey" };
    await client.call("conversations.send", { conversation_id, ...text });
    const state = await eventually(async () => {
      const { items } = await client.call("conversations.page", { conversation_id, limit: 1 });
      const [item] = items;
      return item?.kind === "message" && item.state.kind === "refused" ? item.state : undefined;
    });
    expect(state).toEqual({ kind: "refused", code: "bad_prekey" });
  });

  it("gets nothing run under a key that it inserts later, and the person is told", async () => {
    const agent = await client.addAgent();
    await agent.notify();
    const { userId, conversationId: conversation_id } = agent.credentials;
    const published = new PublishedKeys(agent, client.hubUrl);
    const card = field(await published.ask("GET", `/keys/${userId}`), "identity_card");
    const person = field(await published.ask("POST", `/keys/${userId}/bundle`), "bundle");
    const signedPrekey = signedPrekeyIn(person, card);
    const world = testWorld(crypto);
    await world.directory.for(userId).publish({ card, signedPrekey, oneTimePrekeys: [] });
    const impostor = await impostorOf(agent.id, world);
    const about = { level: "ratchet", conversationId: conversation_id } as const;
    await impostor.mail.introduce(userId, card, about);
    const forge = async (call_id: string) => {
      const call = {
        subtype: "tool_call",
        call_id,
        tool_name: "send_notification",
        arguments: { title: "Forged" },
        permission_scope: "notification:send",
      };
      const message = { content_type: "artifact", msg_subtype: "artifact_tool_call" };
      const kind = "artifact/artifact_tool_call";
      const to = { conversation_id, recipient_ids: [userId], kind, call_id };
      const plaintext = Buffer.from(JSON.stringify({ type: "artifact", artifact: call }));
      const encrypted_payload = await impostor.mail.seal(plaintext, to);
      hub.inject(agent.id, {
        type: "message.send",
        conversation_id,
        ...message,
        encrypted_payload,
      });
    };
    await forge("before");
    await deceived.refusedAs("wrong_sender");

    const before = await keyOf(agent);
    const own = await bundleIn(world, agent.id);
    const theirs = impostor.mail.card;
    await published.put({ card: theirs, signedPrekey: signedPrekeyIn(own, theirs) });
    const changed = await eventually(async () => (await keyOf(agent))?.changed ?? undefined);
    expect(changed).not.toEqual(before?.safety);
    expect((await client.snapshot()).notices.map(({ code }) => code)).toContain("key_changed");
    await forge("after");
    const other = await client.addAgent();
    expect(await other.notify("Real")).toEqual({ result: { shown: true, folded: false } });
    expect(client.platform.shown.map(({ title }) => title)).not.toContain("Test agent: Forged");
    const ids = (await client.log()).map(({ call_id }) => call_id);
    expect(ids).not.toContain("before");
    expect(ids).not.toContain("after");
    expect(await keyOf(agent)).toMatchObject({ safety: before?.safety, changed });
  });

  it("cannot make the agent accept any ledger but the whole one that the person signed", async () => {
    let relation: Frame = {};
    hub.down = (frame) => {
      if (frame.type === "relation.updated") relation = frame;
      return [frame];
    };
    const agent = await client.addAgent(["notification:send"]);
    const told: unknown[] = [];
    agent.sdk.addEventHandler(({ type, payload }) => {
      if (type === "encryption.ledger_refused") told.push(payload.code);
      if (type === "encryption.grants") told.push(payload.proven_scopes.length);
    });
    await client.setScopes(agent, ALL_SCOPES);
    /** The result when the agent checks its ledger. */
    const looked = async () => {
      const before = told.length;
      hub.deliver(agent.id, relation);
      return eventually(async () => told[before]);
    };
    const comesTo = (wanted: unknown) =>
      eventually(async () => (await looked()) === wanted || undefined);
    await comesTo(ALL_SCOPES.length);

    const lies: readonly (readonly [code: string, lie: (entries: string[]) => string[]])[] = [
      ["ledger_rolled_back", () => []],
      ["ledger_rolled_back", (entries) => entries.slice(0, -1)],
      ["ledger_broken", (entries) => entries.toReversed()],
      ["ledger_broken", (entries) => [...entries, ...entries.slice(0, 1)]],
      ["bad_signature", ([first = "", ...rest]) => [flippedAtEnd(first), ...rest]],
      ["malformed", ([first = "", ...rest]) => [first.slice(0, -4), ...rest]],
    ];
    for (const [code, lie] of lies) {
      hub.answered = (way, body) => {
        if (!/^GET .*\/ledger/.test(way)) return body;
        const { data } = body as { data: { entries: string[]; length: number } };
        return { data: { ...data, entries: lie(data.entries) } };
      };
      await comesTo(code);
    }
    hub.honest();
    await comesTo(ALL_SCOPES.length);
  });
});
