import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fromBase64 } from "../../app/contract/base64.ts";
import { readEnvelope } from "../../app/encryption/envelope/envelope-format.ts";
import { agentKeyFile, agentKeyPath } from "../../runtime/files/agent-files.ts";
import { HasheeAgent } from "../index.ts";
import { realClock } from "../options.ts";
import { AGENT_ID, CONVERSATION, FakeHub } from "../testing/fake-hub.ts";
import { homeEnv } from "../testing/keys-at-home.ts";
import { MANIFEST, optionsAt, startAgent } from "../testing/start-agent.ts";

it.each([
  ["ratchet", "webhook"],
  ["sealed", "websocket"],
] as const)("keys that are signed for %s serve no agent by %s", async (level, connectionMode) => {
  const starting = startAgent({ connectionMode }, new FakeHub({ level }));
  await expect(starting).rejects.toMatchObject({ code: "paired_otherwise" });
});

describe("keys in a file of the agent's own", () => {
  const before = { ...process.env };
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "own-keys-"));
    Object.assign(process.env, homeEnv(home));
  });
  afterEach(async () => {
    Object.assign(process.env, before);
    await rm(home, { recursive: true });
  });

  it("are refused while another process has them open, and can be opened once it closes them", async () => {
    const { keyStore: _, ...atHome } = optionsAt(new FakeHub(), realClock);
    const options = { ...atHome, manifest: MANIFEST };
    const other = await agentKeyFile(AGENT_ID);
    const impatient = {
      ...realClock,
      after: (_: number, run: () => void) => realClock.after(0, run),
    };
    await expect(HasheeAgent.init({ ...options, clock: impatient })).rejects.toMatchObject({
      code: "keys_in_use",
      path: agentKeyPath(AGENT_ID),
      message: expect.stringContaining(`${agentKeyPath(AGENT_ID)}: another process`),
    });
    await other.close();
    const first = await HasheeAgent.init(options);
    first.disconnect();
    // It releases them a moment later, which the next start waits for.
    const second = await HasheeAgent.init(options);
    second.disconnect();
  });

  it("are released by a start that was aborted while it read them", async () => {
    const { keyStore: _, ...options } = optionsAt(new FakeHub(), realClock);
    const abort = new AbortController();
    const start = { ...options, manifest: MANIFEST, signal: abort.signal };
    const starting = HasheeAgent.init(start);
    abort.abort();
    await expect(starting).rejects.toMatchObject({ code: "aborted" });
    const next = await HasheeAgent.init({ ...options, manifest: MANIFEST });
    next.disconnect();
  });

  it("leave no number out when the agent ends and starts again", async () => {
    const hub = new FakeHub();
    const { keyStore, ...options } = optionsAt(hub, realClock);
    const file = await agentKeyFile(AGENT_ID);
    await file.save(await keyStore.load());
    await file.close();
    for (let start = 0; start < 3; start += 1) {
      const agent = await HasheeAgent.init({ ...options, manifest: MANIFEST });
      await agent.send(CONVERSATION, { type: "text", text: "hello" });
      agent.disconnect();
    }
    const numbers = hub.frames("message.send").map(({ encrypted_payload }) => {
      const bytes = fromBase64(encrypted_payload) ?? new Uint8Array(0);
      return readEnvelope(bytes).header.sequence;
    });
    expect(numbers.map((number) => number - (numbers[0] ?? 0))).toEqual([0, 1, 2]);
  });
});
