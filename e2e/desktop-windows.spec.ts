/** What the desktop host does with windows, focus, tray and notifications, on the Electron double. */
import { startUnderDouble, until } from "./electron-double/drive.ts";
import { CONSENT, type DesktopWindow, MAIN, sharedDesktop } from "./support/desktop.ts";
import { expect, test } from "./support/fixtures.ts";

interface TestWindow extends DesktopWindow {
  readonly __electronDoubleInvoke: (channel: string, args: unknown[]) => Promise<unknown>;
  heard?: unknown[];
}

const desktop = sharedDesktop();

test("the main window comes up with the keyboard, the consent window stays hidden", async () => {
  const { page } = desktop;
  await page.waitForFunction(() => document.visibilityState === "visible" && document.hasFocus());
  expect((await desktop.windowAt(MAIN)).focused).toBe(true);
  const consent = await desktop.program.page(CONSENT);
  expect((await desktop.windowAt(CONSENT)).visible).toBe(false);
  expect(await consent.evaluate(() => document.visibilityState)).toBe("hidden");
});

test("a page may connect to nothing, not even to where it came from", async () => {
  const { page } = desktop;
  const outcome = page.evaluate(() => fetch(location.href).then(() => "answered"));
  await expect(outcome).rejects.toThrow(/Failed to fetch/);
});

test("the page is drawn by the built renderer", async () => {
  const { page } = desktop;
  await page.waitForFunction(() => (document.getElementById("root")?.childElementCount ?? 0) > 0);
});

test("a call goes through preload and host and comes back", async () => {
  const reply = await desktop.call("app.snapshot", {});
  expect(reply).toMatchObject({ ok: true });
  const refused = await desktop.call("app.snapshot", { extra: 1 });
  expect(refused).toEqual({ ok: false, code: "invalid_arguments" });
});

test("an event arrives in every window that may hear it", async () => {
  const pages = [desktop.page, await desktop.program.page(CONSENT)];
  for (const page of pages) {
    await page.evaluate(() => {
      const heard: unknown[] = [];
      const here = window as unknown as TestWindow;
      here.heard = heard;
      here.consentry.listen("settings.changed", (event) => heard.push(event));
    });
  }
  const settings = {
    ...(await desktop.snapshot()).settings,
    language: "zh-CN",
    consent_timeout_ms: 60_000,
  };
  expect(await desktop.call("settings.set", settings)).toEqual({
    ok: true,
    result: null,
  });
  for (const page of pages) {
    const heard = () => page.evaluate(() => (window as unknown as TestWindow).heard);
    await page.waitForFunction(() => (window as unknown as TestWindow).heard?.length === 1);
    expect(await heard()).toEqual([settings]);
  }
});

test("the consent window has no other call, not even past its preload", async () => {
  const consent = await desktop.program.page(CONSENT);
  const unknown = { ok: false, code: "unknown_call" };
  expect(await desktop.call("permissions.revoke_all", {}, consent)).toEqual(unknown);
  const past = await consent.evaluate(() =>
    (window as unknown as TestWindow).__electronDoubleInvoke("consentry:call", [
      "permissions.revoke_all",
      {},
    ]),
  );
  expect(past).toEqual(unknown);
});

test("a foreign frame is refused", async () => {
  const { page } = desktop;
  const reply = await page.evaluate(async () => {
    const frame = document.createElement("iframe");
    document.body.append(frame);
    const foreign = frame.contentWindow as unknown as TestWindow;
    const answer = await foreign.__electronDoubleInvoke("consentry:call", ["app.snapshot", {}]);
    frame.remove();
    return answer;
  });
  expect(reply).toEqual({ ok: false, code: "foreign_sender" });
});

test("a page cannot lead its window elsewhere or open another one", async () => {
  const { page } = desktop;
  const said = async (what: string) => {
    const found = await desktop.recorded(what);
    return found.some((detail) => JSON.stringify(detail).includes("evil.example"));
  };
  // One after the other: a navigation under way can swallow the popup of the same moment.
  await page.evaluate(() => void window.open("https://evil.example/"));
  await until(() => said("window.open"));
  await page.evaluate(() => {
    location.href = "https://evil.example/";
  });
  await until(() => said("will-navigate"));
  expect(page.url()).toMatch(/index\.html$/);
  expect(await desktop.call("app.snapshot", {})).toMatchObject({ ok: true });
});

test("a request brings the consent window up without the keyboard, and its end hides it", async () => {
  await desktop.call("sample_agent.start", {});
  await desktop.accept();
  const request = await desktop.waiting();
  await until(async () => (await desktop.windowAt(CONSENT)).visible);
  expect((await desktop.windowAt(CONSENT)).focused).toBe(false);
  expect((await desktop.windowAt(MAIN)).focused).toBe(true);
  const announcement = { title: "Sample agent", body: request.tool_name };
  expect(await desktop.recorded("notification")).toContainEqual(announcement);

  const consent = await desktop.program.page(CONSENT);
  await consent.waitForFunction(() => document.visibilityState === "visible");
  await consent.getByText("Sample agent").first().waitFor();
  await desktop.call("permissions.revoke_all", {});
  await until(async () => !(await desktop.windowAt(CONSENT)).visible);
});

test("closing the main window keeps the program in the tray, whence it opens again", async () => {
  const { window } = await desktop.windowAt(MAIN);
  expect(await desktop.program.act({ act: "close", window })).toBe(true);
  expect((await desktop.windowAt(MAIN)).visible).toBe(false);
  const { page } = desktop;
  await page.waitForFunction(() => document.hidden);
  expect(await desktop.program.act({ act: "tray", label: "打开 Consentry" })).toBe(true);
  expect((await desktop.windowAt(MAIN)).visible).toBe(true);
});

test("the tray's Quit ends the program cleanly", async () => {
  expect(await desktop.program.act({ act: "tray", label: "退出 Consentry" })).toBe(true);
  expect(await desktop.program.exited, desktop.program.stderr.join("\n")).toBe(0);
});

test("a data folder that cannot be used ends the start at once, in words", async () => {
  const started = startUnderDouble({ args: ["--data-dir", "/proc/nope/x", "--hub-port", "0"] });
  await expect(started).rejects.toThrow("The data folder cannot be used: /proc/nope/x");
});

test("an installed program says in a window of the system's why it could not start", async () => {
  const started = startUnderDouble({
    args: ["--data-dir", "/proc/nope/x", "--hub-port", "0"],
    env: { ELECTRON_DOUBLE_RESOURCES: desktop.folder },
  });
  await expect(started).rejects.toThrow(
    "[Consentry] Consentry could not start (store_unwritable): The data folder cannot be used: /proc/nope/x",
  );
});
