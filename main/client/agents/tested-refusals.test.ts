import { describe, expect, it } from "vitest";
import { agent, client, connectForEachTest } from "../testing/each-test.ts";

connectForEachTest();

async function tested() {
  const { agent_id } = await client.card(agent);
  return await client.call("rules.test", { agent_id, tool_name: "send_notification", about: "" });
}

describe("what the page says of a call that would run without asking", () => {
  it("while all agents are paused", async () => {
    expect(await tested()).toMatchObject({ outcome: "allow", why: "low" });
    await client.call("agents.pause", { paused: true });
    expect(await tested()).toMatchObject({ outcome: "deny", why: "paused" });
  });

  it("while its agent is suspended", async () => {
    const { agent_id } = await client.card(agent);
    await client.call("agents.suspend", { agent_id, suspended: true });
    expect(await tested()).toMatchObject({ outcome: "deny", why: "suspended" });
  });
});
