/** How the desktop host is there without being looked at: tray, badge, taskbar, place, login. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { until } from "./electron-double/drive.ts";
import { CONSENT, MAIN, sharedDesktop } from "./support/desktop.ts";
import { expect, test } from "./support/fixtures.ts";

const desktop = sharedDesktop();

test("the tray pauses all agents and says so, and resumes them", async () => {
  expect(await desktop.program.act({ act: "tray", label: "Pause all agents" })).toBe(true);
  await desktop.page.getByTestId("paused-banner").waitFor();
  await until(async () => (await desktop.recorded("tray.tooltip")).at(-1) !== "Consentry");
  expect(await desktop.recorded("tray.tooltip")).toEqual([
    "Consentry",
    "Consentry: all agents are paused",
  ]);
  expect(await desktop.recorded("tray.image")).toHaveLength(1);
  expect(await desktop.program.act({ act: "tray", label: "Resume all agents" })).toBe(true);
  await desktop.page.getByTestId("paused-banner").waitFor({ state: "detached" });
  expect((await desktop.snapshot()).paused).toBe(false);
});

test("what waits stands on the icon, and a window in the back flashes until it is looked at", async () => {
  const agent = await desktop.addAgent(["clipboard:write"]);
  void agent.call("write_clipboard", { text: "first" });
  await until(async () => (await desktop.recorded("app.setBadgeCount")).at(-1) === 1);
  expect(await desktop.recorded("flashFrame")).not.toContain(true);
  expect(await desktop.recorded("notification")).toEqual([
    { title: "Ada", body: "write_clipboard" },
  ]);
  await desktop.page.getByTestId("nav-settings").click();
  const notified = desktop.page.getByTestId("settings-notifications");
  await notified.click();
  await expect(notified).not.toBeChecked();
  await desktop.program.act({ act: "activate", window: (await desktop.windowAt(CONSENT)).window });
  void agent.call("write_clipboard", { text: "second" });
  await until(async () => (await desktop.recorded("flashFrame")).at(-1) === true);
  expect((await desktop.recorded("app.setBadgeCount")).at(-1)).toBe(2);
  expect(await desktop.recorded("notification")).toHaveLength(1);
  await desktop.program.act({ act: "activate", window: (await desktop.windowAt(MAIN)).window });
  await until(async () => (await desktop.recorded("flashFrame")).at(-1) === false);
  await desktop.call("agents.pause", { paused: true });
  await until(async () => (await desktop.recorded("app.setBadgeCount")).at(-1) === 0);
  await desktop.call("agents.pause", { paused: false });
});

test("it starts at login when the person says so, and no longer when they say no", async () => {
  test.skip(process.platform !== "linux", "other systems keep this where a test must not write");
  const file = join(desktop.folder, "config", "autostart", "consentry.desktop");
  await desktop.page.getByTestId("nav-settings").click();
  const box = desktop.page.getByTestId("settings-login-start");
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
  await desktop.program.act({
    act: "place",
    window: (await desktop.windowAt(MAIN)).window,
    bounds,
  });
  await desktop.call("agents.pause", { paused: true });
  await desktop.restart();
  expect((await desktop.recorded("new BrowserWindow"))[0]).toMatchObject(bounds);
  expect((await desktop.recorded("tray.tooltip"))[0]).toBe("Consentry: all agents are paused");
  expect((await desktop.snapshot()).paused).toBe(true);
});

test("the tray suspends one agent and resumes it", async () => {
  await desktop.call("agents.pause", { paused: false });
  const agent = await desktop.addAgent(["notification:send"]);
  const ask = () => agent.call("read_clipboard", {});
  const answered = { error: { reason: "scope_not_granted" } };
  expect(await ask()).toMatchObject(answered);
  const { result } = await desktop.call("app.snapshot", {});
  const { agents } = result as { readonly agents: readonly { readonly agent_id: string }[] };
  await desktop.call("agents.rename", { agent_id: agents.at(-1)?.agent_id, petname: "Bo" });
  const ticked = async () => JSON.stringify((await desktop.recorded("tray.checked")).at(-1));
  expect(await until(() => desktop.program.act({ act: "tray", label: "Bo" }))).toBe(true);
  await until(async () => (await ticked()) === '["Bo"]');
  expect(await ask()).toMatchObject({ error: { code: "NOT_A_MEMBER" } });
  expect(await desktop.program.act({ act: "tray", label: "Bo" })).toBe(true);
  await until(async () => (await ticked()) === "[]");
  expect(await ask()).toMatchObject(answered);
});
