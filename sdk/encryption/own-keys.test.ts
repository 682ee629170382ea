import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { agentKeyFile } from "../../crypto/agent-key-file.ts";
import { realClock } from "../clock.ts";
import { HasheeAgent } from "../index.ts";
import { AGENT_ID, FakeHub } from "../testing/fake-hub.ts";
import { homeEnv } from "../testing/keys-at-home.ts";
import { MANIFEST, optionsAt, startAgent } from "../testing/start-agent.ts";

it.each([
  ["ratchet", "webhook"],
  ["sealed", "websocket"],
] as const)("keys that are signed for %s serve no agent by %s", async (level, connectionMode) => {
  const starting = startAgent({ connectionMode }, new FakeHub({ level }));
  await expect(starting).rejects.toMatchObject({ code: "paired_otherwise" });
});

it("keys that another process has open are refused, and can be opened once it closes them", async () => {
  const home = await mkdtemp(join(tmpdir(), "own-keys-"));
  const before = { ...process.env };
  Object.assign(process.env, homeEnv(home));
  try {
    const { keyStore: _, ...atHome } = optionsAt(new FakeHub(), realClock);
    const options = { ...atHome, manifest: MANIFEST };
    const other = await agentKeyFile(AGENT_ID);
    const impatient = {
      ...realClock,
      after: (_: number, run: () => void) => realClock.after(0, run),
    };
    await expect(HasheeAgent.init({ ...options, clock: impatient })).rejects.toMatchObject({
      code: "keys_in_use",
    });
    await other.close();
    const first = await HasheeAgent.init(options);
    first.disconnect();
    // It releases them a moment later, which the next start waits for.
    const second = await HasheeAgent.init(options);
    second.disconnect();
  } finally {
    Object.assign(process.env, before);
    await rm(home, { recursive: true });
  }
});
