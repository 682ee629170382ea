import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DeceivedClient, PATIENCE_MS } from "../testing/deceived-client.ts";
import { eventually } from "../testing/eventually.ts";
import type { LaunchedClient } from "../testing/launched-client.ts";
import type { Frame, MeddlingHub } from "../testing/meddling-hub.ts";
import type { TestAgent } from "../testing/test-agent.ts";

/** What the hub can replace an envelope with, and the code of its refusal. */
const CHANGES: readonly (readonly [code: string, change: (envelope: Buffer) => Buffer])[] = [
  ["downgraded", (bytes) => Buffer.concat([Buffer.of(0), bytes.subarray(1)])],
  ["downgraded", () => Buffer.concat([Buffer.of(0), Buffer.from(PLAIN_CALL)])],
  ["downgraded", (bytes) => Buffer.concat([Buffer.of(1, 1), bytes.subarray(2)])],
  ["unsupported_version", (bytes) => Buffer.concat([Buffer.of(2), bytes.subarray(1)])],
  ["malformed", (bytes) => bytes.subarray(0, bytes.length / 2)],
  ["malformed", (bytes) => bytes.subarray(0, -1)],
  ["malformed", (bytes) => bytes.subarray(0, -64)],
  ["malformed", (bytes) => Buffer.concat([bytes, Buffer.of(0)])],
  ["bad_signature", (bytes) => Buffer.concat([bytes.subarray(0, -64), Buffer.alloc(64)])],
  ["bad_signature", (bytes) => Buffer.concat([bytes.subarray(0, -64), bytes.subarray(0, 64)])],
];

const PLAIN_CALL = JSON.stringify({
  type: "artifact",
  artifact: {
    subtype: "tool_call",
    call_id: "plain",
    tool_name: "send_notification",
    arguments: { title: "Plain" },
    permission_scope: "notification:send",
  },
});

const isCall = ({ type, msg_subtype }: Frame) =>
  type === "message.send" && msg_subtype === "artifact_tool_call";
const isAnswer = ({ type, msg_subtype }: Frame) =>
  type === "message.new" && msg_subtype === "artifact_response";

const bytesOf = ({ encrypted_payload }: Frame): Buffer =>
  Buffer.from(String(encrypted_payload), "base64");
const withBytes = (frame: Frame, bytes: Buffer): Frame => ({
  ...frame,
  encrypted_payload: bytes.toString("base64"),
});

function flipped(frame: Frame, at: number): Frame {
  const bytes = bytesOf(frame);
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (at % 8)), at);
  return withBytes(frame, bytes);
}

describe("a hub that alters what it relays", { timeout: PATIENCE_MS }, () => {
  let deceived: DeceivedClient;
  let client: LaunchedClient;
  let hub: MeddlingHub;
  let agent: TestAgent;

  beforeAll(async () => {
    deceived = await DeceivedClient.start();
    ({ client, hub } = deceived);
  }, PATIENCE_MS);

  beforeEach(async () => {
    hub.honest();
    agent = await client.addAgent();
    deceived.begin();
  }, PATIENCE_MS);

  afterAll(() => deceived.end());

  const titles = () => client.platform.shown.map(({ title }) => title.split(": ")[1]);
  const ofAgent = async () => (await client.log()).filter(({ agent_id }) => agent_id === agent.id);

  /** Calls of the agent, which the hub withholds. */
  async function held(...names: readonly string[]) {
    const frames: Frame[] = [];
    hub.up = (frame) => {
      if (!isCall(frame)) return [frame];
      frames.push(frame);
      return [];
    };
    const outcomes = names.map((name) => agent.notify(name, name));
    await eventually(async () => frames.length === names.length || undefined);
    return { frames, outcomes };
  }

  it("runs nothing that was changed in any part, and logs each with a code", async () => {
    const { frames, outcomes } = await held("Unchanged");
    const [frame = {}] = frames;
    for (const [, change] of CHANGES)
      hub.inject(agent.id, withBytes(frame, change(bytesOf(frame))));
    const codes = CHANGES.map(([code]) => code);
    expect(await deceived.refused(codes.length)).toEqual(codes);
    const flips = Array.from({ length: 12 }, (_, at) =>
      Math.floor((at * bytesOf(frame).length) / 12),
    );
    for (const at of flips) hub.inject(agent.id, flipped(frame, at));
    await deceived.refused(codes.length + flips.length);
    expect(titles()).toEqual([]);

    hub.inject(agent.id, frame);
    expect(await Promise.all(outcomes)).toEqual([{ result: { shown: true, folded: false } }]);
    expect(titles()).toEqual(["Unchanged"]);
    expect(deceived.refusals()).toHaveLength(codes.length + flips.length);
    const lines = await ofAgent();
    const answers = lines.map(({ status, error_code }) => error_code ?? status);
    const expected = deceived.refusals().map(() => "TOOL_INVALID_ARGUMENTS");
    expect(answers).toEqual(["ok", ...expected]);
    const { notices } = await client.snapshot();
    expect(notices.map(({ code }) => code)).toContain("envelope_refused");
  });

  it("runs nothing twice, late, elsewhere or as something else", async () => {
    const other = await client.addAgent();
    const group = await client.newGroup(agent);
    const { frames, outcomes } = await held("Late", "Once", "Moved");
    const [late = {}, once = {}, moved = {}] = frames;
    hub.inject(agent.id, once);
    expect(await outcomes[1]).toEqual({ result: { shown: true, folded: false } });
    expect(await deceived.refused(1)).toEqual(["envelopes_missed"]);
    hub.inject(agent.id, late);
    hub.inject(agent.id, once);
    hub.inject(agent.id, { ...moved, conversation_id: group });
    hub.inject(other.id, { ...moved, conversation_id: other.credentials.conversationId });
    const { msg_subtype: _, ...text } = moved;
    hub.inject(agent.id, { ...text, content_type: "text" });
    await deceived.refusedAs("wrong_kind");
    const codes = [
      "downgraded",
      "envelopes_missed",
      "reordered",
      "replayed",
      "wrong_kind",
      "wrong_sender",
    ];
    expect(deceived.refusals().toSorted()).toEqual(codes);
    expect(titles()).toEqual(["Once"]);

    hub.inject(agent.id, moved);
    expect(await outcomes[2]).toEqual({ result: { shown: true, folded: false } });
    expect(titles()).toEqual(["Once", "Moved"]);
  });

  it("cannot answer a call with anything that the person did not seal for it", async () => {
    const answers: Frame[] = [];
    hub.down = (frame) => {
      if (!isAnswer(frame)) return [frame];
      answers.push(frame);
      return [];
    };
    const unreadable: unknown[] = [];
    agent.sdk.addEventHandler(({ type, payload }) => {
      if (type === "message.unreadable") unreadable.push([payload.code, payload.refusal]);
    });
    let outcome: unknown;
    const called = agent.notify("Answered", "answered").then((value) => {
      outcome = value;
    });
    const [answer = {}] = await eventually(async () => (answers.length > 0 ? answers : undefined));
    const forged = CHANGES.map(([, change]) => withBytes(answer, change(bytesOf(answer))));
    for (const [at, frame] of forged.entries()) {
      const conversation_seq = 1_000 + at;
      hub.deliver(agent.id, { ...frame, message_id: `forged-${at}`, conversation_seq });
    }
    await eventually(async () => unreadable.length === forged.length || undefined);
    expect(unreadable).toEqual(CHANGES.map(([code]) => ["envelope_unreadable", code]));
    expect(outcome).toBeUndefined();
    hub.deliver(agent.id, answer);
    await called;
    expect(outcome).toEqual({ result: { shown: true, folded: false } });
  });

  it("ends a stream, and removes its text, when it changes a part", async () => {
    const { conversationId: conversation_id } = agent.credentials;
    const shown = (count: number) =>
      eventually(async () => {
        const { streams } = await client.call("conversations.page", { conversation_id, limit: 1 });
        return streams.length === count ? streams : undefined;
      });
    const stream = agent.sdk.stream(conversation_id);
    stream.delta("What the agent wrote");
    expect(await shown(1)).toMatchObject([{ text: "What the agent wrote" }]);
    hub.up = (frame) => [frame.type === "stream.delta" ? flipped(frame, 20) : frame];
    stream.delta(", and more");
    await shown(0);
    stream.abort();
  });
});
