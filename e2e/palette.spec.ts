/** Commands by keyboard, beside requests that wait. */
import { expect, test } from "./support/fixtures.ts";

test("commands are found by typing; a card that waits stays in sight, and none of them allows it", async ({
  stage,
  host,
}) => {
  const { agent } = await stage.connectedAgent();
  const { main } = stage.program;
  const asked = agent.call("write_clipboard", { text: "kept" });
  const card = await stage.card();
  await expect(card.getByRole("heading", { level: 2 })).toBeVisible();
  const palette = main.getByTestId("palette");
  await main.keyboard.press("Control+k");
  await expect(main.getByTestId("palette-find")).toBeFocused();
  await expect(card).toBeVisible();
  if (host === "browser") await expect(main.getByTestId("consent-docked")).toBeVisible();
  await main.keyboard.press("Escape");
  await expect(palette).toHaveCount(0);
  await expect(card).toBeVisible();
  if (host === "browser") await expect(main.getByTestId("consent-docked")).toHaveCount(0);

  const command = main.getByTestId("palette-command");
  await main.keyboard.press("Control+k");
  await main.getByTestId("palette-find").fill("connect an agent");
  await expect(command).toHaveCount(1);
  await main.keyboard.press("Enter");
  await expect(main.getByTestId("connect-apps")).toBeFocused();
  await expect(main.getByTestId("connect-apps").getByRole("heading").first()).toBeInViewport();

  // Of several the first is chosen.
  await main.keyboard.press("Control+k");
  await main.getByTestId("palette-find").fill("appearance");
  await expect(command).toHaveCount(2);
  await expect(command.first()).toHaveAttribute("data-focused", "true");
  await main.keyboard.press("Enter");
  await expect(main.locator("html")).toHaveAttribute("data-theme", "light");

  await main.keyboard.press("Control+k");
  await main.getByTestId("palette-find").fill("allow");
  await expect(command).toHaveCount(0);
  await main.getByTestId("palette-find").fill("dark");
  await expect(command).toHaveCount(1);
  await main.keyboard.press("Enter");
  await expect(palette).toHaveCount(0);
  await expect(main.locator("html")).toHaveAttribute("data-theme", "dark");
  await stage.card();

  await main.keyboard.press("Control+k");
  await main.getByTestId("palette-find").fill("hands off");
  await expect(command).toHaveCount(1);
  await main.keyboard.press("Enter");
  expect(await asked).toMatchObject({ error: { reason: "user_refused" } });
  await stage.noCard();
});
