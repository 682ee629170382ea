/** A long request: what the person reads before they answer, and the time they have for it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import { PATIENT } from "./support/patience.ts";

/** While a card is read it is told of it once a second at most, and a time stands still for 5 s. */
const SCROLLED_EVERY_MS = 3_000;
const LINES = Array.from({ length: 200 }, (_, at) => `const value${at} = ${at};\n`);
const EDITS = LINES.map((line) => ({ old_text: line, new_text: line.replace("const", "let") }));

test("a long edit is allowed once its end was in sight, and its time stands still while it is read", async ({
  stage,
  host,
}) => {
  const folder = stage.folderWith({ "big.ts": LINES.join("") });
  const path = join(folder, "big.ts");
  const { agent } = await stage.connectedAgent();
  const edited = agent.call("edit_file", { path, edits: EDITS });
  const card = await stage.card();
  const allow = card.getByTestId("consent-allow-once");
  const countdown = card.getByTestId("consent-countdown");
  const first = card.locator('tr[data-kind="removed"]').first();
  await expect(first.locator("mark")).toHaveText("const");
  await expect(first.locator("xpath=following-sibling::tr[1]").locator("mark")).toHaveText("let");
  await stage.choosesFolder("once", folder);
  const offers = card.getByTestId("consent-root-offers").locator("option");
  if (host === "browser") await expect(offers).toHaveAttribute("value", folder);
  await expect(countdown).toHaveAttribute("data-running", "true");
  await expect(card.getByTestId("consent-read-first")).toBeVisible();
  await expect(allow).toHaveAttribute("aria-disabled", "true");

  await card.getByTestId("consent-body").hover();
  await stage.program.cards.mouse.wheel(0, 200);
  await expect(countdown).toHaveAttribute("data-held", "true");
  await expect(allow).toHaveAttribute("aria-disabled", "true");

  await card.getByTestId("consent-body").focus();
  await stage.program.cards.keyboard.press("End");
  await expect(card.getByTestId("consent-read-first")).toHaveCount(0);
  await expect(allow).toHaveAttribute("aria-disabled", "false");
  await stage.press("consent-allow-once");
  expect(await edited).toHaveProperty("result");
  expect(readFileSync(path, "utf8")).toContain("let value199 = 199;");
});

test("without scrolling, the person says by keyboard that they have read it", {
  tag: "@once",
}, async ({ stage }) => {
  const { agent } = await stage.connectedAgent();
  const path = join(stage.folderWith({}), "long.ts");
  const written = agent.call("write_file", { path, content: LINES.join("") });
  const card = await stage.card();
  const allow = card.getByTestId("consent-allow-once");
  const read = card.getByTestId("consent-read-it");
  await expect(card.getByTestId("consent-countdown")).toHaveAttribute("data-running", "true");
  await expect(allow).toHaveAttribute("aria-disabled", "true");
  await read.focus();
  await expect(async () => {
    if ((await read.count()) > 0) await read.press("Enter", { timeout: 600 });
    await expect(read).toHaveCount(0, { timeout: 600 });
  }).toPass();
  await expect(allow).toHaveAttribute("aria-disabled", "false");
  await expect(async () => {
    await stage.program.cards.keyboard.press("a");
    await stage.noCard();
  }).toPass({ intervals: [700] });
  expect(await written).toMatchObject({ result: { created: true } });
});

test("all its pauses together last five minutes; then the time runs out as always", {
  tag: "@browser",
}, async ({ stage }) => {
  const { agent } = await stage.connectedAgent();
  const path = join(stage.folderWith({}), "long.ts");
  const written = agent.call("write_file", { path, content: LINES.join("") }, PATIENT);
  const card = await stage.card();
  const { cards } = stage.program;
  const countdown = cards.getByTestId("consent-countdown");
  await expect(countdown).toHaveAttribute("data-running", "true");
  /** The person scrolls for so long. */
  const reads = async (ms: number): Promise<void> => {
    for (let past = 0; past < ms; past += SCROLLED_EVERY_MS) {
      await card.evaluate(scrollAndBeTold);
      await stage.program.jump(SCROLLED_EVERY_MS);
      await cards.evaluate(jumpOn, SCROLLED_EVERY_MS);
    }
  };
  await reads(200_000);
  await expect(countdown).toHaveAttribute("data-held", "true");
  await reads(110_000);
  await expect(countdown).toHaveAttribute("data-held", "false");
  await stage.program.jump(30_000);
  expect(await written).toMatchObject({ error: { reason: "user_timeout" } });
  await stage.noCard();
});

test("beside a folder to open, what would happen has most of the card, and stays where it is while words are written", {
  tag: "@once",
}, async ({ stage }) => {
  const { cards } = stage.program;
  const { agent } = await stage.connectedAgent();
  const path = join(stage.folderWith({}), "long.ts");
  const written = agent.call("write_file", { path, content: LINES.join("") }, PATIENT);
  const card = await stage.card();
  for (const size of [
    { width: 1100, height: 800 },
    { width: 380, height: 760 },
  ]) {
    await cards.setViewportSize(size);
    const body = await edgesOf(card.getByTestId("consent-body"));
    const tell = await edgesOf(card.getByTestId("consent-tell"));
    expect(Math.min(body.bottom, tell.top) - body.top).toBeGreaterThan(256);
    // A click of Playwright's own would scroll.
    await cards.mouse.click(tell.left + 10, tell.top + 10);
    await expect(card.getByTestId("consent-tell-field")).toBeFocused();
    expect(await card.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    await cards.keyboard.press("Escape");
    await expect(card.getByTestId("consent-tell")).toBeFocused();
    expect(await card.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  }
  await stage.press("consent-deny");
  await written;
});

const edgesOf = (part: Locator): Promise<DOMRect> =>
  part.evaluate((element) => element.getBoundingClientRect().toJSON());

/** A scroll is told of with the frame after it. */
function scrollAndBeTold(card: Element): Promise<void> {
  const body = card.querySelector('[data-testid="consent-body"]');
  if (body === null) throw new Error("a card without a body");
  body.scrollTo(0, body.scrollTop === 0 ? 200 : 0);
  return new Promise((told) => requestAnimationFrame(() => setTimeout(told)));
}

/** The page's own time, as `Program.jump` makes the program's. */
function jumpOn(ms: number): void {
  const now = performance.now.bind(performance);
  performance.now = () => now() + ms;
}
