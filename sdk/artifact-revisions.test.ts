import { expect, it } from "vitest";
import { CONVERSATION } from "./testing/fake-hub.ts";
import { startAgent } from "./testing/start-agent.ts";

const update = (revision: number) => ({
  ref_artifact: "a",
  revision,
  updates: { state: { text: "done" } },
});

it("an artifact's update is sent as an artifact of its own", async () => {
  const { agent, hub } = await startAgent();
  await agent.updateArtifact(CONVERSATION, update(1));
  expect(await hub.payloads()).toEqual([
    { type: "artifact", artifact: { subtype: "artifact_update", ...update(1) } },
  ]);
});

it("a revision that is not higher than the last is not sent", async () => {
  const { agent, hub } = await startAgent();
  await agent.updateArtifact(CONVERSATION, update(3));
  for (const revision of [3, 2, 3.5, Number.NaN]) {
    await expect(agent.updateArtifact(CONVERSATION, update(revision))).rejects.toMatchObject({
      code: "revision_not_higher",
    });
  }
  await agent.updateArtifact(CONVERSATION, { ...update(1), ref_artifact: "other" });
  expect(await hub.payloads()).toHaveLength(2);
});
