import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LIMITS } from "../../../app/contract/limits.ts";
import { ManualTime } from "../../../app/contract/testing/manual-time.ts";
import { webmRecording } from "../../../app/contract/testing/recordings.ts";
import type { HubAgent } from "../../../app/grants/grant.ts";
import type { Delivery } from "../../../app/protocol/link/outbox.ts";
import type { ArtifactFetch } from "../../../app/protocol/v1/artifact-messages.ts";
import { encodeVoice, voiceOf } from "../../../app/protocol/v1/voice-messages.ts";
import type { OwnMessage } from "../../channels/hub-channel.ts";
import { openStore } from "../../storage/index.ts";
import type { Store } from "../../storage/store.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { AgentStates } from "../hub/presence.ts";
import { MANIFEST } from "../testing/test-manifest.ts";
import { Conversations } from "./conversations.ts";
import { encodeText } from "./outgoing.ts";

const KEY = randomBytes(32);
const TALK = "talk";
const AGENT: HubAgent = {
  agent_id: "agent",
  name: "Ada",
  channel: "hub",
  relation: { relation_id: "relation", conversation_id: TALK },
  manifest: MANIFEST,
  manifest_version: 1,
  manifest_hash: "h",
  reviewed_hash: "h",
  reviewed_manifest: MANIFEST,
  grants: new Map(),
  roots: [],
  hosts: [],
  added_at: 0,
};

const MEMBER = {
  member_id: "me",
  member_type: "human",
  role: "owner",
  name: null,
  read_seq: 0,
} as const;
const groupOf = (conversation_id: string) => ({
  conversation_id,
  type: "group" as const,
  title: "Harvest",
  owner_id: "me",
  last_seq: 0,
  read_seq: 0,
  member_count: 1,
});

let dataDir: string;
let store: Store;
let time: ManualTime;
let agents: readonly HubAgent[];
/** How often all agents were looked at. */
let listed: number;
let marks: (readonly [string, number])[];
let posted: { readonly message: OwnMessage; readonly delivery: Delivery }[];
let talks: Conversations;
let groups: readonly string[];
let asked: ArtifactFetch[];
let microphone: (number | "closed")[];

/** The program's half, as after a start. */
function start(): Conversations {
  store = openStore({
    dataDir,
    wallClock: time,
    monotonic: { now: () => 0 },
    random: randomBytes,
  }).store;
  return new Conversations({
    userId: "me",
    store: store.conversations(KEY),
    activity: { page: async () => ({ rows: [], next_before_seq: null }) },
    rest: {
      conversations: async () => groups.map(groupOf),
      conversation: async (id) => ({ ...groupOf(id), members: [MEMBER] }),
    },
    scheduler: time,
    settledFor: async () => undefined,
    now: () => time.now(),
    agents: {
      agent: (agentId) => agents.find(({ agent_id }) => agent_id === agentId),
      list() {
        listed += 1;
        return agents;
      },
    },
    isOnline: () => false,
    statuses: new AgentStates(),
    naming: { petname: () => null, borrowing: () => () => false },
    post: (message, delivery) => posted.push({ message, delivery }),
    ask: async (_, fetch) => asked.push(fetch) > 0,
    deliver: async () => ({ kind: "saved" }),
    microphone: {
      open: (ms) => microphone.push(ms),
      close: () => microphone.push("closed"),
    },
    tellRead: (id, seq) => marks.push([id, seq]),
    histories: { tell: () => {}, notify: () => {} },
    emit: () => {},
    changed: () => {},
    report: (error) => {
      throw error;
    },
  });
}
function restart(): void {
  store.close();
  posted = [];
  talks = start();
}

beforeEach(() => {
  dataDir = scratchFolder();
  time = new ManualTime();
  agents = [AGENT];
  listed = 0;
  [marks, posted, groups, asked, microphone] = [[], [], [], [], []];
  talks = start();
});
afterEach(() => store.close());

const TEXT = (seq: number): Uint8Array => encodeText({ content: "text", text: `${seq}` });
const keep = (seq: number, conversation_id = TALK, payload: Uint8Array = TEXT(seq)) =>
  talks.keep({
    message_id: `message-${seq}`,
    conversation_id,
    conversation_seq: seq,
    conversation_type: "h2a",
    sender_id: "agent",
    sender_type: "agent",
    content_type: "text",
    created_at: "2026-01-01T00:00:00.000Z",
    payload,
  });
const page = () => talks.page({ conversation_id: TALK, limit: 50 });
const texts = async () =>
  (await page()).items.map((item) => (item.kind === "message" ? item.text : item.kind));
const write = (text: string, client_message_id: string) =>
  talks.send({ conversation_id: TALK, text, client_message_id });

describe("how far the person has read", () => {
  it("reaches the hub at the next connect if there was no connection, even after a restart", async () => {
    await keep(1);
    await keep(2);
    await talks.markRead(TALK, 2);
    // Without a connection it is lost.
    marks = [];
    talks.connected(true);
    await expect.poll(() => marks).toEqual([[TALK, 2]]);
    restart();
    marks = [];
    talks.connected(true);
    await expect.poll(() => marks).toEqual([[TALK, 2]]);
  });

  it("includes what was read elsewhere", async () => {
    await keep(1);
    await keep(2);
    talks.messageRead({ type: "message.read", conversation_id: TALK, user_id: "me", seq: 1 });
    const unread = () => talks.list().find(({ kind }) => kind === "direct")?.unread;
    await expect.poll(unread).toBe(1);
  });
});

describe("the list", () => {
  it("looks at all agents once, however many there are", () => {
    agents = ["one", "two", "three"].map((agent_id) => ({
      ...AGENT,
      agent_id,
      relation: { relation_id: agent_id, conversation_id: agent_id },
    }));
    expect(talks.list()).toHaveLength(4);
    expect(listed).toBe(1);
  });
});

describe("a voice message", () => {
  const VOICE = voiceOf(webmRecording(), 2);
  const received = async (payload: Uint8Array) => {
    await keep(1, TALK, payload);
    const [item] = (await page()).items;
    return item?.kind === "message" ? item.voice : undefined;
  };
  const takes = () => {
    const manifest = { ...AGENT.manifest, capability_flags: { supports_voice: true } };
    agents = [{ ...AGENT, manifest }];
  };

  it("of an agent whose manifest offers none is not played, whatever the hub let through", async () => {
    if ("fault" in VOICE) throw new Error(VOICE.fault);
    expect(await received(encodeVoice(VOICE))).toMatchObject({ fault: "voice_unsupported" });
  });

  it("that is no recording is shown as such, and none of it is stored", async () => {
    takes();
    const sent = { type: "audio", mime: "audio/webm", duration_s: 2, data: btoa("<script>") };
    const payload = new TextEncoder().encode(JSON.stringify(sent));
    expect(await received(payload)).toMatchObject({ fault: "voice_type_unknown" });
  });

  it("opens the microphone for as long as one may last, where voice is offered", () => {
    const record = (on: boolean) => talks.voices.record({ conversation_id: TALK, on });
    expect(() => record(true)).toThrow("not_offered");
    expect(microphone).toEqual([]);
    takes();
    record(true);
    record(false);
    expect(microphone).toEqual([LIMITS.voiceMs, "closed"]);
  });
});

describe("who is writing", () => {
  it("is shown for five seconds after the last frame, and ends with the connection", async () => {
    const writing = async () => (await page()).typing.map(({ sender_id }) => sender_id);
    talks.live.showTyping(TALK, "agent");
    time.pass(4_000);
    talks.live.showTyping(TALK, "agent");
    time.pass(4_999);
    expect(await writing()).toEqual(["agent"]);
    time.pass(1);
    expect(await writing()).toEqual([]);
    talks.live.showTyping(TALK, "agent");
    talks.connected(false);
    expect([await writing(), time.pending]).toEqual([[], 0]);
  });
});

describe("what the person writes without a connection", () => {
  it("is sent once, and again after a restart until the hub has answered", async () => {
    await write("one", "own-message-1");
    await write("two", "own-message-2");
    talks.connected(true);
    const ids = () => posted.map(({ message }) => message.client_message_id);
    expect(ids()).toEqual(["own-message-1", "own-message-2"]);
    posted[0]?.delivery.acked({ message_id: "m1", conversation_seq: 1 });
    const state = async () => {
      const [first] = (await page()).items;
      return first?.kind === "message" ? first.state.kind : undefined;
    };
    await expect.poll(state).toBe("sent");
    restart();
    talks.connected(true);
    expect(ids()).toEqual(["own-message-2"]);
    expect(await texts()).toEqual(["one", "two"]);
  });
});

describe("the conversation of an agent that was removed", () => {
  it("stores no late messages until the agent is back", async () => {
    await keep(1);
    await talks.agentLeaves(AGENT, false);
    agents = [];
    expect(await keep(2)).toBe(true);
    restart();
    expect(await keep(3)).toBe(true);
    expect(talks.list().map(({ kind }) => kind)).toEqual(["system"]);
    agents = [AGENT];
    expect(await keep(4)).toBe(true);
    expect(await texts()).toEqual(["4"]);
  });

  it("stores late messages if its history is kept", async () => {
    await keep(1);
    await talks.agentLeaves(AGENT, true);
    agents = [];
    await keep(2);
    expect(await texts()).toEqual(["1", "2"]);
    expect(talks.list()).toMatchObject([{ title: "Ada", relation: "revoked" }, {}]);
  });
});

describe("a group that the person has left", () => {
  it("can be read until its history is deleted, and is listed again when they are back", async () => {
    const group = () => talks.list().find(({ kind }) => kind === "group");
    groups = ["group"];
    talks.connected(true);
    await expect.poll(() => group()?.relation).toBe("active");
    await keep(1, "group");
    groups = [];
    talks.connected(true);
    await expect.poll(() => group()?.relation).toBe("revoked");
    expect(group()).toMatchObject({ title: "Harvest", last_text: "1", offers: { text: false } });
    await talks.deleteHistory("group");
    expect(group()).toBeUndefined();
    groups = ["group"];
    talks.connected(true);
    await expect.poll(() => group()?.relation).toBe("active");
    expect(await keep(1, "group")).toBe(true);
    await keep(2, "group");
    expect(group()).toMatchObject({ last_text: "2", unread: 1 });
  });
});
