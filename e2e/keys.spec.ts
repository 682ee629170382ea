/** Whose key is whose: what the person sees of it, and what must wait until they have. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "@playwright/test";
import { axeFindings } from "./support/axe-findings.ts";
import { expect, test } from "./support/fixtures.ts";
import { messagesHeld } from "./support/hub-queue.ts";
import { ALL_SCOPES, MANIFEST } from "./support/manifest.ts";
import type { Credentials, RunningAgent, Safety } from "./support/running-agent.ts";
import type { Stage } from "./support/stage.ts";

/** The number as it is drawn here, in both of its forms. */
async function drawnIn(place: Locator): Promise<Safety> {
  const number = place.getByTestId("safety-number");
  const drawn = async () => (await number.locator("li").allTextContents()).join(" ");
  const form = place.getByTestId("safety-form");
  await number.locator("li").first().waitFor();
  const digits = await drawn();
  await form.click();
  const words = await drawn();
  await form.click();
  return { digits, words };
}

/** The same agent in a new process. */
async function back(stage: Stage, credentials: Credentials): Promise<RunningAgent> {
  const agent = stage.newAgent();
  await agent.init(credentials, MANIFEST);
  return agent;
}

test("both ends show one number, and nothing runs under another key until the person has accepted it", async ({
  stage,
}) => {
  const { main } = stage.program;
  const agent = stage.newAgent();
  const { code, done } = agent.pair("End-to-end agent", MANIFEST);
  await code;
  const pairing = main.getByTestId("pairing-key");
  // One code to compare; the number is for an agent that comes through another computer.
  await expect(pairing.getByTestId("safety-number")).toBeHidden();
  await main.getByTestId("pairing-details").click();
  await expect(pairing.getByTestId("safety-number")).toBeHidden();
  await pairing.getByTestId("pairing-elsewhere").click();
  const offered = await drawnIn(pairing);
  await stage.acceptPairing(await code, ALL_SCOPES);
  const credentials = await done;
  expect(await agent.safety()).toEqual(offered);

  await stage.open("agents");
  const key = main.getByTestId("agent-key");
  await key.getByRole("button").first().click();
  expect(await drawnIn(key)).toEqual(offered);
  await key.getByTestId("key-verify").click();
  await expect(key).toHaveAttribute("data-verified", "true");

  await agent.kill();
  rmSync(join(stage.agentsHome, ".hashee"), { recursive: true });
  const other = await back(stage, credentials);
  const changed = main.getByTestId("key-changed");
  await expect(changed).toBeVisible();
  await expect(main.locator('[data-testid="notice"][data-code="key_changed"]')).toBeVisible();
  const shown = await drawnIn(changed);
  expect(shown.digits).not.toBe(offered.digits);
  expect(await other.safety()).toEqual(shown);

  const held = other.call("send_notification", { title: "Under another key" });
  // It came as far as the hub, which keeps it.
  await expect.poll(() => messagesHeld(stage.dataDir)).toBeGreaterThan(0);
  await expect(await stage.logLine({ tool: "send_notification" })).toHaveCount(0);
  await stage.open("agents");
  expect(await axeFindings(main, "a changed key")).toEqual([]);
  await expect(changed.getByTestId("key-accept")).toBeDisabled();
  await changed.getByTestId("key-compared").check();
  await changed.getByTestId("key-accept").click();
  expect(await held).toMatchObject({ result: { shown: true } });
  await expect(changed).toHaveCount(0);
  await expect(key).toHaveAttribute("data-verified", "false");
  await expect(await stage.logLine({ tool: "send_notification" })).toHaveCount(1);
});

test("agents come back to a person who has lost what was known of them, who is told", async ({
  stage,
}) => {
  const { agent, credentials } = await stage.connectedAgent();
  expect(await agent.call("send_notification", { title: "Before" })).toHaveProperty("result");
  await agent.kill();
  await stage.program.stop();
  for (const end of ["", "-wal", "-shm"]) {
    rmSync(join(stage.dataDir, `consentry.db${end}`), { force: true });
  }
  const { main } = await stage.start();
  const again = await back(stage, credentials);
  await stage.open("agents");
  await expect(
    main.locator('[data-testid="notice"][data-code="keys_fetched_again"]'),
  ).toBeVisible();
  const key = main.getByTestId("agent-key");
  await expect(key).toHaveAttribute("data-verified", "false");
  await key.getByRole("button").first().click();
  expect(await drawnIn(key)).toEqual(await again.safety());
  expect(await again.call("send_notification", { title: "Not yet" })).toMatchObject({
    error: { reason: "scope_not_granted" },
  });
  await stage.open("home");
  await expect(main.getByTestId("nav-reconsent")).toContainText("1 agent changed");
  await main.getByTestId("home-reconsent").getByRole("button").click();
  await main.getByTestId("reconsent-allow").click();
  await expect(main.getByTestId("reconsent")).toHaveCount(0);
  await expect(main.getByTestId("nav-reconsent")).toHaveCount(0);
  expect(await again.call("send_notification", { title: "After" })).toHaveProperty("result");
});
