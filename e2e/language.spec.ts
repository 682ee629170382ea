import { expect, test } from "./support/fixtures.ts";

test("the language changes live, everywhere", async ({ stage }) => {
  const main = await stage.open("settings");
  await main.getByTestId("settings-language").selectOption("zh-CN");
  await expect(main.getByTestId("nav-permissions")).toHaveText("权限");
  await expect(main.locator("html")).toHaveAttribute("lang", "zh-CN");
  await main.getByTestId("settings-language").selectOption("de");
  await expect(main.getByTestId("nav-permissions")).toHaveText("Berechtigungen");
  await expect(main.locator("html")).toHaveAttribute("lang", "de");
  await main.getByTestId("settings-language").selectOption("en");
  await expect(main.getByTestId("nav-permissions")).toHaveText("Permissions");
});
