/** Taking a denial back before it leaves. */
import { expect, press, test } from "./support/fixtures.ts";

const REFUSED = { error: { reason: "user_refused" } };

test("a denial can be taken back for 5 s: the request waits again, and is allowed or denied anew", async ({
  stage,
}) => {
  const { agent } = await stage.connectedAgent();
  const { cards } = stage.program;
  const call = agent.call("write_clipboard", { text: "kept" });
  await press((await stage.card()).getByTestId("consent-deny"));
  await stage.noCard();
  await expect(cards.getByTestId("consent-denied")).toHaveText(
    "Denied: Copy “kept” to the clipboard",
  );
  await cards.keyboard.press("Control+z");
  await expect((await stage.card()).getByRole("heading", { level: 2 })).toBeFocused();
  await expect(cards.getByTestId("consent-undo")).toHaveCount(0);
  await stage.press("consent-allow-once");
  expect(await call).toHaveProperty("result");

  const others = ["one", "two"].map((text) => agent.call("write_clipboard", { text }));
  const both = cards.getByTestId("consent-card");
  await expect(both).toHaveCount(2);
  await press(both.first().getByTestId("consent-deny"));
  // In a low window too, who asks next is not hidden by it.
  await cards.setViewportSize({ width: 560, height: 480 });
  await expect(async () => {
    await both.first().evaluate((card) => card.scrollIntoView({ block: "nearest" }));
    const note = await cards.locator(".denied-note").boundingBox();
    const next = await both.first().boundingBox();
    expect(next?.y).toBeGreaterThan((note?.y ?? 1_000) + (note?.height ?? 0));
  }).toPass();
  await cards.getByTestId("consent-undo").click();
  await expect(both).toHaveCount(2);
  // A press just after a card was scrolled into view does not count.
  const allow = both.first().getByTestId("consent-allow-once");
  await allow.scrollIntoViewIfNeeded();
  await expect(allow).not.toHaveAttribute("aria-disabled", "true");
  await cards.getByTestId("consent-deny-all").click();
  await stage.denialLeaves();
  for (const other of others) expect(await other).toMatchObject(REFUSED);
});

test("a denial that is held stands when its program quits, and when the time of its request ends", async ({
  stage,
}) => {
  const { agent } = await stage.connectedAgent();
  const timed = agent.call("read_clipboard", {});
  const card = await stage.card();
  await expect(card.getByTestId("consent-countdown")).toHaveAttribute("data-running", "true");
  await press(card.getByTestId("consent-deny"));
  await expect(stage.program.cards.getByTestId("consent-undo")).toBeVisible();
  await stage.program.jump(30_000);
  expect(await timed).toMatchObject(REFUSED);

  const call = agent.call("write_clipboard", { text: "x" }, { timeoutMs: 60_000 });
  await press((await stage.card()).getByTestId("consent-deny"));
  await expect(stage.program.cards.getByTestId("consent-undo")).toBeVisible();
  await stage.program.stop();
  await stage.start();
  expect(await call).toMatchObject(REFUSED);
  await stage.noCard();
});
