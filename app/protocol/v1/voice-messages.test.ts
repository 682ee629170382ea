import { expect, test } from "vitest";
import { toBase64 } from "../../contract/base64.ts";
import type { JsonObject } from "../../contract/json.ts";
import { LIMITS } from "../../contract/limits.ts";
import { oggRecording, webmRecording } from "../../contract/testing/recordings.ts";
import { encodeVoice, readVoice, voiceOf } from "./voice-messages.ts";

const sent = (change: JsonObject): JsonObject => ({
  type: "audio",
  mime: "audio/webm",
  duration_s: 2.5,
  data: toBase64(webmRecording()),
  ...change,
});

test.each([
  ["audio/webm", webmRecording()],
  ["audio/ogg", oggRecording()],
] as const)(
  "a recording in %s is known by its bytes, and comes back as it was sent",
  (mime, bytes) => {
    const voice = voiceOf(bytes, 2.5, "Good morning");
    if ("fault" in voice) throw new Error(voice.fault);
    expect(voice).toMatchObject({ mime, duration_s: 2.5, transcript: "Good morning" });
    expect(readVoice(JSON.parse(new TextDecoder().decode(encodeVoice(voice))))).toEqual(voice);
  },
);

test("anything else is no voice message", () => {
  expect(readVoice({ type: "text", text: "hello" })).toBeUndefined();
  expect(readVoice("audio")).toBeUndefined();
});

test.each([
  ["a web page", "<!doctype html><script>alert(1)</script>"],
  ["an MP3", "ID3\x04\x00\x00\x00\x00\x00\x00"],
  ["a film of another kind in the same container", "\x1aE\xdf\xa3\x42\x82\x88matroska A_OPUS"],
  ["Ogg with another codec", `OggS${"\0".repeat(24)}\x01vorbis`],
  ["nothing", ""],
])("%s is not played, whatever it is called", (_name, content) => {
  for (const mime of ["audio/webm", "audio/ogg"]) {
    expect(readVoice(sent({ mime, data: btoa(content) }))).toEqual({ fault: "voice_type_unknown" });
  }
});

test("a recording that is called something else than it is, is not played", () => {
  expect(readVoice(sent({ mime: "audio/ogg" }))).toEqual({ fault: "voice_type_unknown" });
  expect(readVoice(sent({ mime: "text/html" }))).toEqual({ fault: "voice_type_unknown" });
});

test.each([
  ["voice_malformed", { data: "not base64" }],
  ["voice_malformed", { data: 7 }],
  ["voice_malformed", { duration_s: "2" }],
  ["voice_malformed", { duration_s: -1 }],
  ["voice_malformed", { transcript: [] }],
  ["voice_too_long", { duration_s: LIMITS.voiceMs / 1000 + 0.001 }],
  ["voice_too_large", { data: toBase64(webmRecording(LIMITS.voiceBytes + 1)) }],
  ["voice_too_large", { transcript: "a".repeat(LIMITS.voiceTranscriptChars + 1) }],
])("%s: %o", (fault, change) => {
  expect(readVoice(sent(change))).toEqual({ fault });
});

test("the largest recording of the longest duration is taken", () => {
  const data = toBase64(webmRecording(LIMITS.voiceBytes));
  const voice = readVoice(sent({ data, duration_s: LIMITS.voiceMs / 1000 }));
  expect(voice).toMatchObject({ duration_s: LIMITS.voiceMs / 1000 });
});
