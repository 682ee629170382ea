import { expect, it } from "vitest";
import { CONVERSATION } from "./testing/fake-hub.ts";
import { startAgent } from "./testing/start-agent.ts";

it("a typing indicator is renewed every 4 s until it is stopped", async () => {
  const { agent, hub, clock } = await startAgent();
  agent.typing(CONVERSATION);
  await clock.advance(8_000);
  agent.stopTyping(CONVERSATION);
  agent.stopTyping(CONVERSATION);
  await clock.advance(8_000);
  const signs = hub.heard.map(({ type }) => type).filter((type) => type.startsWith("typing"));
  expect(signs).toEqual(["typing.start", "typing.start", "typing.start", "typing.stop"]);
});

it("an agent that disconnects leaves no indicator's timer", async () => {
  const { agent, clock } = await startAgent();
  agent.typing(CONVERSATION);
  agent.disconnect();
  expect(clock.pending).toBe(0);
});
