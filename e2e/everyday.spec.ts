/** What a person meets every day, around the requests themselves. */
import { expect, sharedStage, test } from "./support/fixtures.ts";
import { ALL_SCOPES, MANIFEST } from "./support/manifest.ts";
import { press } from "./support/stage.ts";

const shared = sharedStage();
const TIMED_OUT = { error: { reason: "user_timeout" } };

test("Escape as a card appears denies nothing; a moment later it denies", async () => {
  const stage = shared();
  const { cards } = stage.program;
  const { agent } = await stage.connectedAgent();
  const looking = await cards.evaluateHandle(() => ({
    pressed: new Promise<void>((resolve) => {
      const look = new MutationObserver(() => {
        const card = document.querySelector('[data-testid="consent-card"]');
        if (card === null) return;
        look.disconnect();
        requestAnimationFrame(() => {
          const target = document.activeElement ?? document.body;
          target.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
          resolve();
        });
      });
      look.observe(document.body, { childList: true, subtree: true });
    }),
  }));
  const asked = agent.call("write_clipboard", { text: "still here" });
  await looking.evaluate(({ pressed }) => pressed);
  const allow = (await stage.card()).getByTestId("consent-allow-once");
  await expect(allow).not.toHaveAttribute("aria-disabled", "true");
  await expect(cards.getByTestId("consent-undo")).toHaveCount(0);
  await cards.keyboard.press("Escape");
  await stage.noCard();
  await stage.program.main.getByTestId("show-requests").click();
  await stage.press("consent-deny");
  expect(await asked).toMatchObject({ error: { reason: "user_refused" } });
});

test("what ran out of time under the person's eyes is not among what ended without them", async () => {
  const stage = shared();
  const { agent } = await stage.connectedAgent();
  const missed = stage.program.main.getByTestId("missed-row");
  const alone = agent.call("read_clipboard", {});
  const countdown = stage.program.cards.getByTestId("consent-countdown");
  await expect(countdown).toHaveAttribute("data-running", "true");
  await stage.program.jump(30_000);
  expect(await alone).toMatchObject(TIMED_OUT);
  await expect(missed).toHaveCount(1);
  await stage.program.main.getByTestId("missed-dismiss").click();

  const content = Array.from({ length: 200 }, (_, line) => `Line ${line}`).join("\n");
  const path = `${stage.folderWith({})}/long.md`;
  const watched = agent.call("write_file", { path, content });
  const card = await stage.card();
  await card.getByTestId("consent-body").hover();
  // A pause of 5 s is missed by a slow look: then the person scrolls on.
  await expect(async () => {
    await stage.program.cards.mouse.wheel(0, 200);
    await expect(countdown).toHaveAttribute("data-held", "true", { timeout: 2_000 });
  }).toPass();
  await expect(countdown).toHaveAttribute("data-held", "false");
  // Almost to its end and not beyond: that would be later than anybody who read is waited for.
  const left = Number(await countdown.getAttribute("data-seconds"));
  await stage.program.jump((left - 2) * 1_000);
  expect(await watched).toMatchObject(TIMED_OUT);
  await stage.noCard();
  await expect(missed).toHaveCount(0);
});

test("the log names its time as the whole of it, the person's thinking included", async () => {
  const stage = shared();
  const { agent } = await stage.connectedAgent();
  const called = agent.call("write_clipboard", { text: "slowly" }, { callId: "slowly" });
  await stage.card();
  await stage.program.jump(20_000);
  await stage.press("consent-allow-once");
  expect(await called).toHaveProperty("result");
  await (await stage.logLine({ "call-id": "slowly" })).click();
  const details = stage.program.main.getByTestId("activity-details");
  await expect(details).toContainText(/Total time\s*2\d(\.\d)? s/);
  await stage.program.main.keyboard.press("Escape");
});

test("an agent's own program keeps back what is more than three, and loses none", async () => {
  const stage = shared();
  const { agent, credentials } = await stage.connectedAgent();
  await agent.kill();
  const again = stage.newAgent();
  await again.init(credentials, MANIFEST, { callsAtOnce: 3 });
  const texts = ["one", "two", "three", "four", "five"];
  const calls = texts.map((text) => again.call("write_clipboard", { text }));
  await stage.waits(3);
  for (const left of [4, 3, 2, 1, 0]) {
    const { cards } = stage.program;
    const card = cards.getByTestId("consent-card");
    await expect(card).toContainText(texts[texts.length - 1 - left] ?? "");
    await press(card.getByTestId("consent-allow-once"));
  }
  for (const call of calls) expect(await call).toHaveProperty("result");
  await expect(stage.program.main.getByTestId("turned-away")).toHaveCount(0);
});

test("an agent that waits no longer hears that the person has not answered", async () => {
  const stage = shared();
  const { agent } = await stage.connectedAgent();
  const given = await agent.call("write_clipboard", { text: "too late" }, { timeoutMs: 1_000 });
  expect(given).toMatchObject({
    error: { code: "call_timeout", message: expect.stringContaining("has not answered") },
  });
  await stage.noCard();
});

test("arguments that break the schema are refused with the place", async () => {
  const { agent } = await shared().connectedAgent();
  const edits = [{ old_text: 5, new_text: "" }];
  expect(await agent.call("edit_file", { path: "/a", edits })).toMatchObject({
    error: { reason: "schema_violation", message: expect.stringContaining("/edits/0/old_text") },
  });
});

test("what an agent writes in several lines is read out as lines", async () => {
  const stage = shared();
  const { agent } = await stage.connectedAgent(ALL_SCOPES, "Writer");
  const main = await stage.open("conversations");
  await main.getByTestId("conversation-row").filter({ hasText: "Writer" }).click();
  await expect(main.getByTestId("thread-beginning")).toBeVisible();
  await agent.send("First line\nsecond line");
  const log = main.getByRole("log");
  await expect(log).toContainText("second line");
  await expect(log).not.toContainText("000a");
});

test("before messages are deleted it is said that the cards of calls stay; what they asked goes", async () => {
  const stage = shared();
  const { agent } = await stage.connectedAgent(ALL_SCOPES, "Forgotten");
  const main = await stage.open("conversations");
  await main.getByTestId("conversation-row").filter({ hasText: "Forgotten" }).click();
  await expect(main.getByTestId("thread-beginning")).toBeVisible();
  await agent.send("Hello.");
  await agent.call("send_notification", { title: "Lunch" });
  const card = main.getByTestId("call-open");
  await expect(card).toHaveText(/^Show the notification “Lunch”\s*Done/);
  await expect(main.getByTestId("message")).toHaveCount(1);
  await main.getByTestId("delete-history").click();
  const dialog = main.getByTestId("delete-history-dialog");
  await expect(dialog).toContainText("The cards of calls stay as long as the log keeps");
  await dialog.getByTestId("delete-history-dialog-confirm").click();
  await expect(main.getByTestId("message")).toHaveCount(0);
  await expect(card).not.toContainText("Lunch");
});

test("a page opens at its top, wherever the one before it was scrolled to", async () => {
  const stage = shared();
  await stage.connectedAgent();
  const main = await stage.open("settings");
  await main.setViewportSize({ width: 1_100, height: 400 });
  const content = main.locator("#content");
  await content.evaluate((element) => element.scrollTo(0, 300));
  await stage.open("permissions");
  await expect(main.locator("h1")).toBeInViewport();
  expect(await content.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
});

test("the page has an icon", async () => {
  const { main } = shared().program;
  const drawn = await main.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    const image = new Image();
    image.src = link?.href ?? "";
    await image.decode();
    return image.naturalWidth;
  });
  expect(drawn).toBeGreaterThan(0);
});
