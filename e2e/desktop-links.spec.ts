/** What a link of the program's own can do, on the Electron double: lead somewhere, and nothing else. */
import { MAIN, sharedDesktop } from "./support/desktop.ts";
import { expect, test } from "./support/fixtures.ts";

const desktop = sharedDesktop();

const open = (url: string) => desktop.program.act({ act: "link", url });
const place = () => desktop.page.evaluate(() => location.hash);

test("a link brings the window up, on the page it names", async () => {
  const { window } = await desktop.windowAt(MAIN);
  await desktop.program.act({ act: "close", window });
  await open("consentry://open/activity");
  await desktop.page.waitForFunction(() => location.hash === "#/activity");
  await expect(desktop.page.getByTestId("nav-activity")).toHaveAttribute("aria-current", "page");
  expect(await desktop.windowAt(MAIN)).toMatchObject({ visible: true, focused: true });
});

test("an agent's link fills in its id; nobody is asked about it, and nothing is added", async () => {
  await open("consentry:agent/ag_linked");
  const { page } = desktop;
  await expect(page.getByTestId("add-by-id-text")).toHaveValue("ag_linked");
  await expect(page.getByTestId("add-by-id-failure")).toHaveCount(0);
  expect(await desktop.call("app.snapshot", {})).toMatchObject({
    result: { agents: [], pairings: [] },
  });
  await page.getByTestId("add-by-id-find").click();
  await expect(page.getByTestId("add-by-id-failure")).toHaveAttribute("data-code", "agent_unknown");
  await open("consentry:agent/ag_other");
  await expect(page.getByTestId("add-by-id-text")).toHaveValue("ag_other");
  await expect(page.getByTestId("add-by-id-failure")).toHaveCount(0);
});

test("a file of everything leads to the import, where the person chooses it", async () => {
  await desktop.program.act({ act: "file", path: "/home/ada/data.consentry" });
  await expect(desktop.page.getByTestId("own-data-import")).toBeFocused();
  await expect(desktop.page.getByTestId("own-data-import")).toBeInViewport();
});

test("a link that says more, or something else, leads nowhere", async () => {
  await open("consentry://open/settings?hub=https://evil.example");
  await open("consentry://app/consent.html");
  await open("consentry://open/home");
  await desktop.page.waitForFunction(() => location.hash === "#/home");
  await open("consentry://agent/a?grant=all");
  await desktop.program.record();
  expect(await place()).toBe("#/home");
});
