/** What a request leaves to the person: their typing, what is behind it, and when they answer. */
import { expect, sharedStage, test } from "./support/fixtures.ts";
import { ALL_SCOPES } from "./support/manifest.ts";

const shared = sharedStage();

/** 87 characters, with the digits that answer a card. */
const TEXT =
  "I need 2 of them by 1 o'clock, and 12 more by 5: one for Ada, 1 for Bo, 2 for us. Okay?";

test("a request that comes while the person types takes no key, and is reached by F6", async ({
  host,
}) => {
  expect(TEXT).toHaveLength(87);
  const stage = shared();
  const { agent } = await stage.connectedAgent(ALL_SCOPES, "Reader");
  const main = await stage.open("conversations");
  await main.getByTestId("conversation-row").filter({ hasText: "Reader" }).click();
  const field = main.getByTestId("composer");
  await field.pressSequentially(TEXT.slice(0, 18));
  const asked = agent.call("read_clipboard", {});
  await stage.card();
  const calls = ["one", "two"].map((text) => agent.call("write_clipboard", { text }));
  const cards = stage.program.cards.getByTestId("consent-card");
  await main.keyboard.type(TEXT.slice(18, 40), { delay: 20 });
  await stage.waits(3);
  const allow = cards.getByTestId("consent-allow-once");
  await expect(cards.getByTestId("consent-countdown")).toHaveAttribute("data-running", "true");
  await main.keyboard.type(TEXT.slice(40), { delay: 20 });
  await expect(field).toHaveValue(TEXT);
  await expect(field).toBeFocused();
  await expect(field).toBeInViewport({ ratio: 1 });
  // One that ends by itself takes no key either.
  await expect(cards.getByTestId("consent-countdown")).toHaveCount(1);
  await expect(cards.getByTestId("consent-countdown")).toHaveAttribute("data-running", "true");
  await stage.program.jump(30_000);
  expect(await asked).toMatchObject({ error: { reason: "user_timeout" } });
  await stage.waits(2);
  await main.keyboard.type("!");
  await expect(field).toHaveValue(`${TEXT}!`);

  if (host === "browser") {
    await main.keyboard.press("F6");
    await expect(cards.getByRole("heading", { level: 2 })).toBeFocused();
    await main.keyboard.press("F6");
    await expect(field).toBeFocused();
    await main.keyboard.press("F6");
  }
  // A press just after a card was scrolled into view does not count.
  await allow.scrollIntoViewIfNeeded();
  await expect(allow).not.toHaveAttribute("aria-disabled", "true");
  await stage.program.cards.getByTestId("consent-deny-all").click();
  await expect(field).toBeFocused();
  await stage.denialLeaves();
  for (const call of calls) expect(await call).toMatchObject({ error: { reason: "user_refused" } });
});

test("a request is moved aside or put off, its time goes on, and it is brought back", async ({
  host,
}) => {
  const stage = shared();
  const { agent } = await stage.connectedAgent();
  const { main, cards } = stage.program;
  const asked = agent.call("read_clipboard", {});
  const card = await stage.card();
  const countdown = card.getByTestId("consent-countdown");
  await expect(countdown).toHaveAttribute("data-running", "true");
  if (host === "browser") {
    await cards.getByTestId("consent-aside").click();
    await expect(main.getByTestId("consent-docked")).toBeVisible();
  }
  await stage.open("settings");
  await main.getByTestId("settings-timeout").scrollIntoViewIfNeeded();
  await stage.card();
  await cards.getByTestId("consent-later").click();
  if (host === "browser") await stage.noCard();
  const bar = main.getByTestId("waiting-bar");
  await expect(bar).toContainText(/1 request is waiting for your answer · [12]\d seconds left/);
  await stage.open("activity");
  await bar.getByTestId("show-requests").click();
  await expect(countdown).toHaveAttribute("data-running", "true");
  await cards.getByTestId("consent-later").click();
  const next = agent.call("write_clipboard", { text: "new" });
  await stage.waits(2);
  await cards.getByTestId("consent-later").click();
  await stage.program.jump(30_000);
  expect(await asked).toMatchObject({ error: { reason: "user_timeout" } });
  await expect(bar).toContainText("1 request is waiting for your answer");
  await expect(bar).not.toContainText("seconds");
  await bar.getByTestId("show-requests").click();
  // A press just after a card was scrolled into view does not count.
  const allow = (await stage.card()).getByTestId("consent-allow-once");
  await expect(allow).not.toHaveAttribute("aria-disabled", "true");
  await stage.press("consent-deny");
  expect(await next).toMatchObject({ error: { reason: "user_refused" } });
});

test("a docked request's answers are in sight beside a dialog in a small window @browser", async () => {
  const stage = shared();
  const { agent } = await stage.connectedAgent();
  const main = await stage.open("agents");
  const asked = agent.call("read_clipboard", {});
  const card = await stage.card();
  await main.getByTestId("consent-aside").click();
  await main.getByTestId("agent-menu").last().click();
  await main.getByTestId("agent-rename").click();
  for (const width of [380, 800]) {
    await main.setViewportSize({ width, height: 580 });
    await expect(card.getByTestId("consent-deny")).toBeInViewport({ ratio: 1 });
    await expect(card.getByTestId("consent-always-deny")).toBeInViewport({ ratio: 1 });
  }
  await main.keyboard.press("Escape");
  await stage.press("consent-deny");
  expect(await asked).toMatchObject({ error: { reason: "user_refused" } });
});

test("beside docked cards a conversation has the width of its list too, until they are answered @browser", async () => {
  const stage = shared();
  const { agent, credentials } = await stage.connectedAgent(ALL_SCOPES, "Neighbour");
  const main = await stage.openConversation(credentials);
  await main.setViewportSize({ width: 1100, height: 800 });
  const list = main.getByTestId("conversation-list");
  await expect(list).toBeVisible();
  await main.getByTestId("composer").focus();
  const asked = agent.call("read_clipboard", {});
  await stage.card();
  await expect(list).toBeHidden();
  await expect(main.getByTestId("composer")).toBeFocused();
  const thread = await main.getByTestId("thread").boundingBox();
  expect(thread?.width).toBeGreaterThan(400);
  const call = main.getByTestId("call-entry").last();
  expect(await call.evaluate((card) => card.scrollWidth - card.clientWidth)).toBe(0);
  await stage.press("consent-deny");
  await expect(list).toBeVisible();
  expect(await asked).toMatchObject({ error: { reason: "user_refused" } });
});
