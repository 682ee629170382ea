import { join } from "node:path";
import { expect, test } from "./support/fixtures.ts";
import { MANIFEST } from "./support/manifest.ts";

test("an agent that vanishes while its prompt is open loses the card, and the log says so", {
  tag: "@once",
}, async ({ stage }) => {
  const { agent } = await stage.connectedAgent();
  void agent.call("write_clipboard", { text: "x" });
  await stage.card();
  await stage.agentGone(agent);
  await expect(await stage.logLine({ reason: "agent_disconnected" })).toHaveCount(1);
});

test("a crash loses no call and doubles none, sends no denial that could be taken back, and leaves what was granted", async ({
  stage,
}) => {
  const { agent, credentials } = await stage.connectedAgent();
  const options = { callId: "before-the-crash", timeoutMs: 30_000 };
  const before = await agent.call("send_notification", { title: "one" }, options);
  expect(before).toEqual({ result: { shown: true, folded: false } });
  const path = join(stage.folderWith({ "two.txt": "two" }), "two.txt");
  const waiting = agent.call("read_file", { path });
  await stage.deny(await stage.card());
  await expect(stage.program.cards.getByTestId("consent-undo")).toBeVisible();
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

test("a denial that could still be taken back leaves when the program quits", async ({ stage }) => {
  const { agent } = await stage.connectedAgent();
  const call = agent.call("write_clipboard", { text: "x" }, { timeoutMs: 60_000 });
  await stage.deny(await stage.card());
  await expect(stage.program.cards.getByTestId("consent-undo")).toBeVisible();
  await stage.program.stop();
  await stage.start();
  expect(await call).toMatchObject({ error: { reason: "user_refused" } });
  await stage.noCard();
});
