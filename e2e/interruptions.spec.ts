import { join } from "node:path";
import { expect, test } from "./support/fixtures.ts";
import { MANIFEST } from "./support/manifest.ts";

test("an agent that vanishes while its prompt is open loses the card, and the log says so", async ({
  stage,
}) => {
  const { agent } = await stage.connectedAgent();
  void agent.call("write_clipboard", { text: "x" });
  await stage.card();
  await stage.agentGone(agent);
  await expect(await stage.logLine({ reason: "agent_disconnected" })).toHaveCount(1);
});

test("a crash loses no call and doubles none, and what was granted is still granted", async ({
  stage,
}) => {
  const { agent, credentials } = await stage.connectedAgent();
  const options = { callId: "before-the-crash", timeoutMs: 30_000 };
  const before = await agent.call("send_notification", { title: "one" }, options);
  expect(before).toEqual({ result: { shown: true, folded: false } });
  const path = join(stage.folderWith({ "two.txt": "two" }), "two.txt");
  const waiting = agent.call("read_file", { path });
  await stage.card();
  await stage.program.kill();
  await stage.start();
  await stage.press("consent-allow-once");
  expect(await waiting).toMatchObject({ result: { content: "two" } });

  await agent.kill();
  const again = stage.newAgent();
  await again.init(credentials, MANIFEST);
  expect(await again.call("send_notification", { title: "one" }, options)).toEqual(before);
  const line = await stage.logLine({ "call-id": "before-the-crash", status: "ok" });
  await expect(line).toHaveCount(1);
  const main = await stage.open("activity");
  await main.getByTestId("activity-verify").click();
  await expect(main.getByTestId("activity-verify-result")).toContainText(
    /intact|unchanged|complete/i,
  );
});
