/** How the desktop host is there without being looked at: tray, badge, taskbar, place, login. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type DrivenProgram, startUnderDouble, until } from "./electron-double/drive.ts";
import { expect, test } from "./support/fixtures.ts";
import { MANIFEST } from "./support/manifest.ts";
import { dropDataDir, newDataDir } from "./support/program.ts";
import { RunningAgent } from "./support/running-agent.ts";

const MAIN = "consentry://app/index.html";

interface TestWindow extends Window {
  readonly consentry: { call(name: string, args: unknown): Promise<{ readonly result: unknown }> };
}

interface Snapshot {
  readonly paused: boolean;
  readonly login_start: string | null;
  readonly pairings: readonly { readonly pairing_id: string }[];
  readonly consents: readonly { readonly request_id: string }[];
}

let folder: string;
let program: DrivenProgram;
let page: Page;

test.describe.configure({ mode: "serial" });

async function start(): Promise<void> {
  const env = { XDG_CONFIG_HOME: join(folder, "config") };
  program = await startUnderDouble({ args: ["--data-dir", join(folder, "data")], env });
  page = await program.page(MAIN);
  await page.waitForFunction(() => document.hasFocus());
}

const call = (name: string, args: unknown) =>
  page.evaluate(
    ([asked, given]) => (window as unknown as TestWindow).consentry.call(asked, given),
    [name, args] as const,
  );
const snapshot = async () => (await call("app.snapshot", {})).result as Snapshot;
const recorded = async (what: string) =>
  (await program.record()).filter((entry) => entry.what === what).map(({ detail }) => detail);
const mainWindow = () =>
  until(async () => (await program.windows()).find(({ url }) => url.startsWith(MAIN)));

test.beforeAll(async () => {
  folder = newDataDir();
  await start();
});

test.afterAll(async () => {
  await program?.stop();
  dropDataDir(folder);
});

test("the tray pauses all agents and says so, and resumes them", async () => {
  expect(await program.act({ act: "tray", label: "Pause all agents" })).toBe(true);
  await page.getByTestId("paused-banner").waitFor();
  await until(async () => (await recorded("tray.tooltip")).at(-1) !== "Consentry");
  expect(await recorded("tray.tooltip")).toEqual(["Consentry", "Consentry: all agents are paused"]);
  expect(await recorded("tray.image")).toHaveLength(2);
  expect(await program.act({ act: "tray", label: "Resume all agents" })).toBe(true);
  await page.getByTestId("paused-banner").waitFor({ state: "detached" });
  expect((await snapshot()).paused).toBe(false);
});

test("what waits stands on the icon, and a window in the back flashes until it is looked at", async () => {
  const agent = new RunningAgent((program.ready as { readonly hub: string }).hub, folder);
  try {
    const { done } = agent.pair("Ada", MANIFEST);
    const { pairing_id } = await until(async () => (await snapshot()).pairings[0]);
    const granted_scopes = ["clipboard:write"];
    await call("pairing.answer", { pairing_id, accept: true, granted_scopes });
    await done;
    void agent.call("write_clipboard", { text: "first" });
    await until(async () => (await recorded("app.setBadgeCount")).at(-1) === 1);
    expect(await recorded("flashFrame")).not.toContain(true);
    expect(await recorded("notification")).toEqual([{ title: "Ada", body: "write_clipboard" }]);
    await page.getByTestId("nav-settings").click();
    const notified = page.getByTestId("settings-notifications");
    await notified.click();
    await expect(notified).not.toBeChecked();
    const consent = (await program.windows()).find(({ url }) => url.includes("consent.html"));
    await program.act({ act: "activate", window: consent?.window ?? -1 });
    void agent.call("write_clipboard", { text: "second" });
    await until(async () => (await recorded("flashFrame")).at(-1) === true);
    expect((await recorded("app.setBadgeCount")).at(-1)).toBe(2);
    expect(await recorded("notification")).toHaveLength(1);
    await program.act({ act: "activate", window: (await mainWindow()).window });
    await until(async () => (await recorded("flashFrame")).at(-1) === false);
    await call("agents.pause", { paused: true });
    await until(async () => (await recorded("app.setBadgeCount")).at(-1) === 0);
    await call("agents.pause", { paused: false });
  } finally {
    await agent.kill();
  }
});

test("it starts at login when the person says so, and no longer when they say no", async () => {
  test.skip(process.platform !== "linux", "other systems keep this where a test must not write");
  const file = join(folder, "config", "autostart", "consentry.desktop");
  await page.getByTestId("nav-settings").click();
  const box = page.getByTestId("settings-login-start");
  await expect(box).not.toBeChecked();
  await box.click();
  await expect(box).toBeChecked();
  expect(existsSync(file)).toBe(true);
  await box.click();
  await expect(box).not.toBeChecked();
  expect(existsSync(file)).toBe(false);
});

test("the window is where it was left, and the pause holds, after a restart", async () => {
  const bounds = { x: 40, y: 60, width: 900, height: 700 };
  await program.act({ act: "place", window: (await mainWindow()).window, bounds });
  await call("agents.pause", { paused: true });
  expect(await program.stop()).toBe(0);
  await start();
  expect((await recorded("new BrowserWindow"))[0]).toMatchObject(bounds);
  expect((await recorded("tray.tooltip"))[0]).toBe("Consentry: all agents are paused");
  expect((await snapshot()).paused).toBe(true);
});

test("a window whose screen is gone comes where the system puts it", async () => {
  const bounds = { x: 5_000, y: 60, width: 900, height: 700 };
  await program.act({ act: "place", window: (await mainWindow()).window, bounds });
  expect(await program.stop()).toBe(0);
  await start();
  expect((await recorded("new BrowserWindow"))[0]).not.toMatchObject({ x: expect.anything() });
});
