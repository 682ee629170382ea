/** A long request: what the person reads before they answer, and the time they have for it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "./support/fixtures.ts";

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
  await card.getByTestId("consent-root").fill(folder);
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
