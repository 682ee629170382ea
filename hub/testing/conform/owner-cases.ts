import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { TOOL_CALL_SUBTYPE } from "../../../app/protocol/v1/tool-messages.ts";
import { keysOf } from "../key-owner.ts";
import { sampleManifest } from "../sample-manifest.ts";
import { messageTo, type TestClient } from "../test-client.ts";
import type { ConformingHub } from "./conforming-hub.ts";
import type { ConformCase } from "./stranger-cases.ts";

const versions = Array.from({ length: 10 }, (_, nth) => nth + 2);

/** An owner has other agents too: the next frame of this type that is about this one. */
async function about(client: TestClient, type: string, key: string, id: string) {
  for (;;) {
    const frame = await client.next(type);
    const payload = (frame.payload ?? frame) as Readonly<Record<string, unknown>>;
    if (payload[key] === id) return payload;
  }
}

/** What holds for an owner and their agents. */
export const OWNER_CASES: readonly ConformCase[] = [
  [
    "manifests that come at once get a version each, without a gap",
    async (hub) => {
      const added = await hub.addAgent();
      const replies = await Promise.all(versions.map(() => hub.patch(added, sampleManifest())));
      const got = replies.map(({ json }) => json.data.capability_manifest_version);
      assert.deepEqual(
        got.toSorted((a, b) => a - b),
        versions,
      );
    },
  ],
  [
    "owner and agent replace a manifest, wrapped or bare",
    async (hub) => {
      const added = await hub.addAgent();
      const capability_manifest = sampleManifest({ agent_version: "1.1.0" });
      await hub.patch(added, { capability_manifest });
      await hub.patch(added, capability_manifest);
      await hub.asPerson("PATCH", `/agents/${added.agentId}`, { capability_manifest });
      const last = await hub.asPerson("PATCH", `/agents/${added.agentId}`, capability_manifest);
      assert.equal(last.json.data.capability_manifest_version, 5);
    },
  ],
  [
    "a breaking manifest is told with the scopes that need consent, until confirmed",
    async (hub) => {
      const { added, human } = await hub.talk();
      const [read, send] = sampleManifest().permission_scopes;
      const raised = { permission_scopes: [{ ...read, sensitivity: "high" }, send] };
      await hub.patch(added, sampleManifest(raised));
      const notice = await about(human, "h2a.reauth_required", "agent_id", added.agentId);
      assert.deepEqual(notice.scopes_requiring_reauth, ["filesystem:read"]);
      const again = await about(
        await hub.human(),
        "h2a.reauth_required",
        "agent_id",
        added.agentId,
      );
      assert.equal(again.notice_id, notice.notice_id);
      human.send({ type: "notice.received", notice_id: notice.notice_id });
    },
  ],
  [
    "messages are numbered without a gap, in the order in which they are delivered",
    async (hub) => {
      const { human, agent, id } = await hub.talk();
      const sent = Array.from({ length: 30 }, () => randomUUID());
      for (const each of sent) agent.send(messageTo(id, each));
      const got: unknown[] = [];
      while (got.length < sent.length) {
        const frame = await human.next("message.new");
        if (frame.conversation_id === id) got.push(frame.conversation_seq);
      }
      assert.deepEqual(
        got,
        sent.map((_, nth) => nth + 1),
      );
    },
  ],
  [
    "a resend is acknowledged as before, and delivered once",
    async (hub) => {
      const { human, agent, id } = await hub.talk();
      const first = await agent.says(id, "same");
      const second = await agent.says(id, "same");
      assert.deepEqual(second, first);
      await agent.says(id, "other");
      const next = async () => (await about(human, "message.new", "conversation_id", id)) as never;
      assert.deepEqual(
        [await next(), await next()].map(({ conversation_seq: seq }) => seq),
        [1, 2],
      );
    },
  ],
  [
    "a message is delivered again until it is reported received",
    async (hub) => {
      const { added, human, agent, id } = await hub.talk();
      agent.close();
      await agent.closed;
      await human.says(id, randomUUID());
      await human.says(id, randomUUID());
      const second = await hub.agent(added);
      assert.equal((await second.next("message.new")).conversation_seq, 1);
      second.send({ type: "message.received", conversation_id: id, conversation_seq: 1 });
      await second.settled();
      const third = await hub.agent(added);
      assert.equal(await second.closed, 4409);
      assert.equal((await third.next("message.new")).conversation_seq, 2);
    },
  ],
  [
    "an agent makes 60 calls a minute, and is told when the next may come",
    async (hub) => {
      const { agent, id } = await hub.talk();
      const call = (nth: number) => ({
        ...messageTo(id, `call-${nth}`),
        msg_subtype: TOOL_CALL_SUBTYPE,
      });
      for (let nth = 0; nth < 61; nth += 1) agent.send(call(nth));
      const refused = (await agent.next("message.refused")) as never as {
        readonly client_message_id: string;
        readonly error: { readonly code: string; readonly params: { retry_after_ms: number } };
      };
      assert.deepEqual(
        [refused.client_message_id, refused.error.code],
        ["call-60", "RATE_LIMITED"],
      );
      const { retry_after_ms } = refused.error.params;
      assert.ok(retry_after_ms > 0 && retry_after_ms <= 60_000);
      // Nothing more is sent meanwhile: one over its limits is read more slowly.
      while (agent.ofType("message.ack").length < 60) await setTimeout(20);
    },
  ],
  [
    "a one-time prekey is given to one asker",
    async (hub) => {
      const { agentId, token } = await hub.addAgent();
      const { body } = await keysOf(agentId, 4);
      assert.equal((await hub.rest("PUT", "/keys/mine", { token, body })).status, 200);
      const asked = [1, 2, 3, 4].map(() => hub.asPerson("POST", `/keys/${agentId}/bundle`));
      const bundles = (await Promise.all(asked)).map(({ json }) => json.data.bundle);
      assert.equal(new Set(bundles).size, 4);
      const mine = await hub.rest("GET", "/keys/mine", { token });
      assert.equal(mine.json.data.one_time_left, 0);
    },
  ],
  [
    "what is suspended is held back until it is restored, and a removed agent is out",
    async (hub) => {
      const { added, human, agent, id } = await hub.talk();
      const relation = `/h2a/relations/${added.relation.relation_id}`;
      await hub.asPerson("POST", `${relation}/suspend`);
      await agent.next("relation.suspended");
      await hub.asPerson("POST", `${relation}/restore`);
      await agent.next("relation.restored");
      await human.says(id, randomUUID());
      assert.equal((await agent.next("message.new")).conversation_seq, 1);
      await hub.asPerson("DELETE", relation);
      await agent.next("relation.revoked");
      assert.equal(await agent.closed, 4411);
      const { json } = await hub.rest("GET", "/conversations", { token: added.token });
      assert.equal(json.error.code, "AGENT_REMOVED");
    },
  ],
  [
    "presence, typing and stream parts reach the other end",
    async (hub) => {
      const added = await hub.addAgent();
      const human = await hub.human();
      const agent = await hub.agent(added);
      const presence = await about(human, "agent.presence", "agent_id", added.agentId);
      assert.equal(presence.agent_id, added.agentId);
      const conversation_id = added.relation.conversation_id;
      agent.send({ type: "typing.start", conversation_id });
      await about(human, "typing.start", "conversation_id", conversation_id);
      const stream = { conversation_id, stream_id: randomUUID() };
      agent.send({ type: "stream.start", ...stream });
      agent.send({ type: "stream.delta", ...stream, encrypted_payload: "AGhp" });
      agent.send({ type: "stream.done", ...stream });
      for (const type of ["stream.start", "stream.delta", "stream.done"]) {
        await about(human, type, "stream_id", stream.stream_id);
      }
    },
  ],
  [
    "how far somebody has read is told to the other end",
    async (hub) => {
      const { human, agent, id } = await hub.talk();
      await human.says(id, randomUUID());
      agent.send({ type: "message.read", conversation_id: id, seq: 1 });
      const read = await about(human, "message.read", "conversation_id", id);
      assert.equal(read.seq, 1);
    },
  ],
  [
    "a group's messages reach all of its members and nobody else",
    async (hub) => {
      const [one, two, other] = await agents(hub);
      const group = await hub.group(one.added, two.added);
      const id: string = group.json.data.conversation_id;
      await one.client.says(id, "hello");
      await about(two.client, "message.new", "conversation_id", id);
      await other.client.settled();
      assert.deepEqual(other.client.ofType("message.new"), []);
      const left = `/conversations/${id}/members/${two.added.agentId}`;
      assert.equal((await hub.asPerson("DELETE", left)).status, 200);
      await one.client.says(id, "without two");
      await two.client.settled();
      assert.equal(two.client.ofType("message.new").length, 1);
    },
  ],
  [
    "a pairing that the owner accepts gives the agent its token",
    async (hub) => {
      const { pairing_id, pairing_token } = (await hub.knock()).json.data;
      const answer = { accept: true, granted_scopes: ["filesystem:read"] };
      assert.equal(
        (await hub.asPerson("POST", `/pairings/${pairing_id}/answer`, answer)).status,
        200,
      );
      const { json } = await hub.rest("GET", `/pairings/${pairing_id}`, { token: pairing_token });
      const { agent_id: agentId, token, conversation_id } = json.data;
      const agent = await hub.agent({ agentId, token });
      assert.equal((await agent.says(conversation_id, "hello")).conversation_seq, 1);
    },
  ],
];

async function agents(hub: ConformingHub) {
  const three = [1, 2, 3].map(async () => {
    const added = await hub.addAgent();
    return { added, client: await hub.agent(added) };
  });
  const [one, two, other] = await Promise.all(three);
  assert.ok(one && two && other);
  return [one, two, other] as const;
}
