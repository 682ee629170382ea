import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { ConversationView, MessageItem } from "../../../app/bridge/conversation-views.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import { webmRecording } from "../../../app/contract/testing/recordings.ts";
import { type ReceivedVoice, voiceIn } from "../../../sdk/index.ts";
import { eventually } from "../testing/eventually.ts";
import { filesContaining } from "../testing/files-containing.ts";
import { LaunchedClient } from "../testing/launched-client.ts";
import type { TestAgent } from "../testing/test-agent.ts";
import { MANIFEST } from "../testing/test-manifest.ts";

let client: LaunchedClient;
let agent: TestAgent;
let talk: string;
const SPEAKING = { ...MANIFEST, capability_flags: { supports_voice: true } };
const RECORDING = webmRecording(100_000);
const DATA = Buffer.from(RECORDING).toString("base64");

beforeEach(async () => {
  client = await LaunchedClient.start();
  agent = await client.addAgent(undefined, "Ada", SPEAKING);
  talk = agent.credentials.conversationId;
});

const view = async (id = talk): Promise<ConversationView | undefined> =>
  (await client.call("conversations.list", {})).find((each) => each.conversation_id === id);
const offersVoice = (wanted: boolean, id = talk) =>
  eventually(async () => (await view(id))?.offers.voice === wanted || undefined);
const messages = async (): Promise<readonly MessageItem[]> => {
  const { items } = await client.call("conversations.page", { conversation_id: talk, limit: 50 });
  return items.filter((item) => item.kind === "message");
};
const speak = (data = DATA, conversation_id = talk) => {
  const client_message_id = randomUUID();
  const voice = { conversation_id, client_message_id, duration_s: 2.5, data };
  return client.call("conversations.send_voice", voice);
};
const hears = ({ sdk }: TestAgent): Promise<ReceivedVoice> =>
  new Promise((resolve) => {
    sdk.addMessageHandler((message) => {
      const voice = voiceIn(message);
      if (voice !== undefined) resolve(voice);
    });
  });

describe("a voice message of the person's", () => {
  it("reaches the agent as it was recorded, is stored sealed, is in the export, and can be played again", async () => {
    const heard = hears(agent);
    const { item_id } = await speak();
    expect(await heard).toEqual({ mime: "audio/webm", duration_s: 2.5, data: RECORDING });
    await client.restart();
    const [item] = await messages();
    expect(item).toMatchObject({
      mine: true,
      content: "voice",
      text: "",
      voice: { duration_s: 2.5, fault: null },
    });
    const played = client.call("conversations.voice", { conversation_id: talk, item_id });
    expect(await played).toEqual({ mime: "audio/webm", data: DATA });
    await client.call("data.export", {});
    const voice = { mime: "audio/webm", duration_s: 2.5, data: DATA };
    expect(client.host.delivered.at(-1)?.text).toContain(`"kind":"voice"`);
    expect(client.host.delivered.at(-1)?.text).toContain(JSON.stringify(voice));
    expect(filesContaining(client.dataDir, "A_OPUS\x07\x07\x07\x07")).toEqual([]);
  });

  it("is not taken where an agent does not want any, or when it is no recording", async () => {
    await expect(speak(DATA, "system")).rejects.toThrow("not_offered");
    await expect(speak("PGgxPg==")).rejects.toThrow("invalid_arguments");
    const large = Buffer.from(webmRecording(LIMITS.voiceBytes + 3)).toString("base64");
    await expect(speak(large)).rejects.toThrow("invalid_arguments");
    await agent.sdk.updateManifest(MANIFEST);
    await offersVoice(false);
    await expect(speak()).rejects.toThrow("not_offered");
    await expect(
      client.call("conversations.record", { conversation_id: talk, on: true }),
    ).rejects.toThrow("not_offered");
    await agent.sdk.updateManifest(SPEAKING);
    await offersVoice(true);
    await speak();
  });
});

describe("a voice message of an agent's", () => {
  const kept = () =>
    client.inDatabase((db) =>
      db.prepare<[], number>("SELECT ifnull(sum(bytes), 0) FROM kept_bytes").pluck().get(),
    ) ?? 0;

  it("counts with its bytes for what the agent may have kept, until it is deleted", async () => {
    await agent.sdk.sendVoice(talk, { data: RECORDING, duration_s: 3, transcript: "Good day" });
    const [item] = await eventually(async () => {
      const all = await messages();
      return all.length > 0 ? all : undefined;
    });
    expect(item).toMatchObject({ text: "Good day", voice: { duration_s: 3, fault: null } });
    expect(await view()).toMatchObject({ last_text: "Good day", last_content: "voice" });
    expect(kept()).toBeGreaterThan(RECORDING.length);
    await client.call("conversations.delete_history", { conversation_id: talk });
    expect(kept()).toBe(0);
    const named = { conversation_id: talk, item_id: item?.item_id ?? "" };
    await expect(client.call("conversations.voice", named)).rejects.toThrow("not_found");
  });

  it("is refused by the hub when its manifest does not say that it sends any", async () => {
    await agent.sdk.updateManifest(MANIFEST);
    const sent = agent.sdk.sendVoice(talk, { data: RECORDING, duration_s: 3 });
    await expect(sent).rejects.toMatchObject({ code: "VOICE_UNSUPPORTED" });
    expect(await messages()).toEqual([]);
  });
});

describe("in a group", () => {
  it("voice is offered when every agent takes it, and reaches them all", async () => {
    const other = await client.addAgent(undefined, "Ben", MANIFEST);
    const agent_ids = [agent.id, other.id];
    const { conversation_id } = await client.call("groups.create", { title: "Two", agent_ids });
    await offersVoice(false, conversation_id);
    await expect(speak(DATA, conversation_id)).rejects.toThrow("not_offered");
    await other.sdk.updateManifest(SPEAKING);
    await offersVoice(true, conversation_id);
    const heard = [hears(agent), hears(other)];
    await speak(DATA, conversation_id);
    for (const voice of heard) expect(await voice).toMatchObject({ duration_s: 2.5 });
    await other.sdk.updateManifest(MANIFEST);
    await offersVoice(false, conversation_id);
  });

  it("each agent's own flag decides whether its artifacts are drawn and answered", async () => {
    const other = await client.addAgent(undefined, "Ben", MANIFEST);
    const agent_ids = [agent.id, other.id];
    const { conversation_id } = await client.call("groups.create", { title: "Two", agent_ids });
    const blocks = [{ tag: "action", key: "ok", label: "OK" }];
    await agent.sdk.sendArtifact(conversation_id, { artifact: { artifact_id: "a", blocks } });
    const item_id = await eventually(async () => {
      const page = { conversation_id, limit: 50 };
      return (await client.call("conversations.page", page)).items[0]?.item_id;
    });
    const draws = async (id: string) =>
      (await view(conversation_id))?.members.find(({ member_id }) => member_id === id)
        ?.draws_artifacts;
    const answer = () =>
      client.call("conversations.answer", {
        conversation_id,
        item_id,
        revision: 0,
        ref_action: "ok",
        values: {},
      });
    await agent.sdk.updateManifest({
      ...MANIFEST,
      capability_flags: { supports_artifacts: false },
    });
    await eventually(async () => (await draws(agent.id)) === false || undefined);
    expect(await draws(other.id)).toBe(true);
    await expect(answer()).rejects.toThrow("not_offered");
    await agent.sdk.updateManifest(MANIFEST);
    await eventually(async () => (await draws(agent.id)) || undefined);
    await answer();
  });
});
