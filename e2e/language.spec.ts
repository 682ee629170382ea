import { choose } from "./support/choose.ts";
import { expect, sharedStage, test } from "./support/fixtures.ts";

const shared = sharedStage();

test("the language changes live, everywhere", async () => {
  const stage = shared();
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

test("the pages are light or dark as the person chose, also after a reload", {
  tag: "@once",
}, async () => {
  const stage = shared();
  const main = await stage.open("settings");
  await main.emulateMedia({ colorScheme: "light" });
  const ground = () => main.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await choose(main.getByTestId("settings-theme"), "dark");
  await expect.poll(ground).not.toBe(light);
  const dark = await ground();
  await main.reload();
  await expect.poll(ground).toBe(dark);
  await main.emulateMedia({ colorScheme: "dark" });
  await choose(main.getByTestId("settings-theme"), "light");
  await expect.poll(ground).toBe(light);
  await choose(main.getByTestId("settings-theme"), "system");
  await expect.poll(ground).toBe(dark);
  await expect(main.locator('link[rel="icon"]')).toHaveAttribute("href", /\.svg$/);
});
