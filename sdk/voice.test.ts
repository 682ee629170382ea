import { expect, it } from "vitest";
import { toBase64 } from "../app/contract/base64.ts";
import { LIMITS } from "../app/contract/limits.ts";
import { oggRecording, webmRecording } from "../app/contract/testing/recordings.ts";
import { voiceIn } from "./content.ts";
import { CONVERSATION } from "./testing/fake-hub.ts";
import { startAgent } from "./testing/start-agent.ts";

it("a voice message is sent as what its bytes are, under a subtype that the hub sees", async () => {
  const { agent, hub } = await startAgent();
  const data = oggRecording();
  await agent.sendVoice(CONVERSATION, { data, duration_s: 4, transcript: "Done." });
  expect(hub.frames("message.send")).toMatchObject([
    { content_type: "artifact", msg_subtype: "voice" },
  ]);
  expect(await hub.payloads()).toEqual([
    {
      type: "audio",
      mime: "audio/ogg",
      duration_s: 4,
      transcript: "Done.",
      data: toBase64(data),
    },
  ]);
});

it.each([
  ["voice_type_unknown", { data: new Uint8Array([73, 68, 51]), duration_s: 1 }],
  ["voice_too_large", { data: webmRecording(LIMITS.voiceBytes + 1), duration_s: 1 }],
  ["voice_too_long", { data: webmRecording(), duration_s: LIMITS.voiceMs / 1000 + 1 }],
  ["voice_malformed", { data: webmRecording(), duration_s: Number.NaN }],
])("one that the person's client would not play is not sent: %s", async (code, content) => {
  const { agent, hub } = await startAgent();
  await expect(agent.sendVoice(CONVERSATION, content)).rejects.toMatchObject({ code });
  expect(hub.frames("message.send")).toEqual([]);
});

it("one that arrives is read with its type, and anything else is none", () => {
  const data = webmRecording();
  const payload = { type: "audio", mime: "audio/webm", duration_s: 2, data: toBase64(data) };
  expect(voiceIn({ payload })).toEqual({ mime: "audio/webm", duration_s: 2, data });
  expect(voiceIn({ payload: { ...payload, mime: "audio/ogg" } })).toBeUndefined();
  expect(voiceIn({ payload: { type: "text", text: "hello" } })).toBeUndefined();
});
