import { choose } from "./support/choose.ts";
import { expect, test } from "./support/fixtures.ts";

test("the language changes live, everywhere", async ({ stage }) => {
  const main = await stage.open("settings");
  await choose(main.getByTestId("settings-language"), "zh-CN");
  await expect(main.getByTestId("nav-permissions")).toHaveText("权限");
  await expect(main.locator("html")).toHaveAttribute("lang", "zh-CN");
  await choose(main.getByTestId("settings-language"), "de");
  await expect(main.getByTestId("nav-permissions")).toHaveText("Berechtigungen");
  await expect(main.locator("html")).toHaveAttribute("lang", "de");
  await choose(main.getByTestId("settings-language"), "en");
  await expect(main.getByTestId("nav-permissions")).toHaveText("Permissions");
});
