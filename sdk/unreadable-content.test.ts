import { expect, it } from "vitest";
import type { Manifest } from "../app/contract/manifest.ts";
import { ManualTime } from "../app/contract/testing/manual-time.ts";
import { oggRecording } from "../app/contract/testing/recordings.ts";
import { MemoryRecords } from "../app/encryption/testing/correspondents.ts";
import { HasheeAgent } from "./agent.ts";
import { artifact } from "./artifacts.ts";
import { CONVERSATION } from "./testing/fake-hub.ts";
import { MANIFEST, optionsAt, startAgent } from "./testing/start-agent.ts";

/** Half of a character, as `slice` leaves it. */
const CUT = "Nice work 👍".slice(0, 11);
const nested = (depth: number): object => (depth === 0 ? {} : { in: nested(depth - 1) });

it.each<[string, unknown]>([
  ["half a character", { type: "text", text: CUT }],
  ["half a character in a key", { type: "text", text: "", [CUT]: 1 }],
  ["a whole number that is not exact", { type: "text", text: "", id: 2 ** 60 }],
  ["too deep nesting", { type: "text", text: "", more: nested(64) }],
  ["a bigint", { type: "text", text: "", id: 1n }],
  ["nothing", undefined],
])("%s, which the person's client would not open, is not sent", async (_, content) => {
  const { agent, hub } = await startAgent();
  const sent = agent.send(CONVERSATION, content as { type: "text"; text: string });
  await expect(sent).rejects.toMatchObject({ name: "AgentError", code: "not_json" });
  expect(hub.frames("message.send")).toEqual([]);
});

it("neither is it as a voice message, an artifact, a call or the end of a stream", async () => {
  const { agent, hub } = await startAgent();
  const voice = { data: oggRecording(), duration_s: 1, transcript: CUT };
  const block = { tag: "text", text: CUT } as const;
  const notJson = { code: "not_json" };
  await expect(agent.sendVoice(CONVERSATION, voice)).rejects.toMatchObject(notJson);
  const built = artifact({ artifact_id: "a", blocks: [block] });
  await expect(agent.sendArtifact(CONVERSATION, built)).rejects.toMatchObject(notJson);
  const call = agent.callTool(CONVERSATION, "read_file", { path: CUT });
  await expect(call).rejects.toMatchObject({ name: "ToolCallError", ...notJson });
  await expect(agent.stream(CONVERSATION).done(CUT)).rejects.toMatchObject(notJson);
  expect(hub.frames("message.send")).toEqual([]);
});

it("a change of an artifact that is not sent takes no revision and changes nothing", async () => {
  const { agent, hub } = await startAgent();
  const about = { ref_artifact: "a" };
  const blocks = [{ tag: "status", key: "state", text: "open" }] as const;
  await agent.sendArtifact(CONVERSATION, artifact({ artifact_id: "a", blocks }));
  for (const text of [CUT, 2 ** 60, 1n]) {
    const updates = { state: { text: text as string } };
    const update = agent.updateArtifact(CONVERSATION, { ...about, updates });
    await expect(update).rejects.toMatchObject({ code: "not_json" });
  }
  await agent.updateArtifact(CONVERSATION, { ...about, updates: { state: { text: "done" } } });
  const [, change] = await hub.payloads();
  expect(change).toMatchObject({ artifact: { revision: 1 } });
});

it("a manifest that the hub cannot read is invalid before anybody is asked", async () => {
  const manifest: Manifest = { ...MANIFEST, agent_version: CUT };
  const problems = [{ pointer: "", code: "not_strict_json", detail: "lone_surrogate" }];
  const invalid = { code: "manifest_invalid", problems };
  const { agent, hub } = await startAgent();
  await expect(agent.updateManifest(manifest)).rejects.toMatchObject(invalid);
  const pairing = HasheeAgent.pair({
    ...optionsAt(hub, new ManualTime()),
    name: "Reader",
    manifest,
    keyStore: new MemoryRecords(),
    onCode: () => undefined,
  });
  await expect(pairing).rejects.toMatchObject(invalid);
  expect(hub.rest.requests).toEqual([]);
});
