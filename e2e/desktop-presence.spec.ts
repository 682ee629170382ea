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

test("a closed requests window comes back from the tray, from Home and with a second start", async () => {
  const agent = await desktop.addAgent(["clipboard:write"]);
  void agent.call("write_clipboard", { text: "still waiting" });
  const isShown = async () => (await desktop.windowAt(CONSENT)).visible;
  const close = async () => {
    await until(isShown);
    const { window } = await desktop.windowAt(CONSENT);
    expect(await desktop.program.act({ act: "close", window })).toBe(true);
    expect(await isShown()).toBe(false);
  };
  await close();
  const label = "1 request is waiting for your answer";
  expect(await desktop.program.act({ act: "tray", label })).toBe(true);
  await close();
  expect(await desktop.program.act({ act: "tray", label: "Open Consentry" })).toBe(true);
  await close();
  await desktop.page.getByTestId("nav-home").click();
  await desktop.page.getByTestId("show-requests").click();
  await close();
  expect(await desktop.startAgain()).toBe(0);
  await until(isShown);
  expect((await desktop.snapshot()).consents).toHaveLength(1);
  await desktop.call("permissions.revoke_all", {});
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
  // An answer to a call of the very moment in which the agent is suspended is held back.
  const ask = () => agent.call("read_clipboard", {}, { timeoutMs: 2_000 });
  const answered = { error: { reason: "scope_not_granted" } };
  expect(await ask()).toMatchObject(answered);
  const { result } = await desktop.call("app.snapshot", {});
  const { agents } = result as { readonly agents: readonly { readonly agent_id: string }[] };
  await desktop.call("agents.rename", { agent_id: agents.at(-1)?.agent_id, petname: "Bo" });
  const isTicked = async () =>
    JSON.stringify((await desktop.recorded("tray.checked")).at(-1)).includes('"Bo"');
  expect(await until(() => desktop.program.act({ act: "tray", label: "Bo" }))).toBe(true);
  await until(isTicked);
  // The program refuses at once; the hub, which then takes nothing, is told a moment later.
  await expect.poll(ask).toMatchObject({ error: { code: "NOT_A_MEMBER" } });
  expect(await desktop.program.act({ act: "tray", label: "Bo" })).toBe(true);
  await until(async () => !(await isTicked()));
  await expect.poll(ask).toMatchObject(answered);
});

test("the tray changes what is asked, and the window says so", async () => {
  const banner = desktop.page.getByTestId("profile-banner");
  for (const [label, profile] of [
    ["Hands off", "hands_off"],
    ["Ask everything", "ask_everything"],
  ] as const) {
    expect(await desktop.program.act({ act: "tray", label })).toBe(true);
    await expect(banner).toHaveAttribute("data-profile", profile);
  }
  expect(await desktop.program.act({ act: "tray", label: "Everyday" })).toBe(true);
  await expect(banner).toHaveCount(0);
  expect((await desktop.snapshot()).settings.profile).toBe("everyday");
});

test("a request can be denied in its notification, and is only opened there, never allowed", async () => {
  const { settings } = await desktop.snapshot();
  await desktop.call("settings.set", { ...settings, notifications: true });
  const agent = await desktop.addAgent(["clipboard:write"]);
  const before = (await desktop.recorded("notification.buttons")).length;
  const denied = agent.call("write_clipboard", { text: "denied in its notification" });
  await until(async () => (await desktop.recorded("notification.buttons")).length > before);
  expect((await desktop.recorded("notification.buttons")).at(-1)).toEqual(["Deny", "Open"]);
  expect(await desktop.program.act({ act: "button", text: "Deny" })).toBe(true);
  expect(await denied).toMatchObject({ error: { reason: "user_refused" } });
  void agent.call("write_clipboard", { text: "opened from its notification" });
  await until(async () => (await desktop.recorded("notification.buttons")).length > before + 1);
  expect(await desktop.program.act({ act: "button", text: "Open" })).toBe(true);
  await until(async () => (await desktop.windowAt(CONSENT)).focused);
  expect((await desktop.snapshot()).consents).toHaveLength(1);
});

test("chosen keys bring up what waits and answer nothing; keys of another program are told of", async () => {
  await desktop.page.getByTestId("nav-settings").click();
  const choose = async (word: string) => {
    await desktop.page.getByTestId("settings-shortcut").getByRole("button").click();
    await desktop.page.locator(`[data-choice="${word}"]`).click();
  };
  expect(await desktop.recorded("globalShortcut.register")).toEqual([]);
  await choose("CommandOrControl+Alt+C");
  await until(async () => (await desktop.recorded("globalShortcut.register")).length === 1);
  const { window } = await desktop.windowAt(CONSENT);
  await desktop.program.act({ act: "close", window });
  await until(async () => !(await desktop.windowAt(CONSENT)).visible);
  const keys = "CommandOrControl+Alt+C";
  expect(await desktop.program.act({ act: "keys", keys })).toBe(true);
  await until(async () => (await desktop.windowAt(CONSENT)).focused);
  expect((await desktop.snapshot()).consents).toHaveLength(1);
  await desktop.program.act({ act: "activate", window: (await desktop.windowAt(MAIN)).window });
  await choose("CommandOrControl+Shift+F9");
  await expect(desktop.page.locator('[data-code="shortcut_taken"]')).toBeVisible();
  expect(await desktop.program.act({ act: "keys", keys })).toBe(false);
});

test("the consent window comes up on the display where the pointer is", async () => {
  await desktop.call("agents.pause", { paused: true });
  await until(async () => !(await desktop.windowAt(CONSENT)).visible);
  await desktop.call("agents.pause", { paused: false });
  await desktop.program.act({ act: "point", x: 2_500, y: 300 });
  const agent = await desktop.addAgent(["clipboard:write"]);
  void agent.call("write_clipboard", { text: "on the right" });
  await until(async () => (await desktop.windowAt(CONSENT)).visible);
  const [x] = (await desktop.recorded("setPosition")).at(-1) as readonly [number, number];
  expect(x).toBeGreaterThan(1_920);
});

test("a window whose display is gone comes where the system puts it", async () => {
  const bounds = { x: 9_000, y: 60, width: 900, height: 700 };
  const { window } = await desktop.windowAt(MAIN);
  await desktop.program.act({ act: "place", window, bounds });
  await desktop.restart();
  const [made] = await desktop.recorded("new BrowserWindow");
  expect(made).not.toHaveProperty("x", bounds.x);
});
