/** What the desktop host does with windows, focus, tray and notifications, on the Electron double. */
import type { Page } from "playwright-core";
import { type DrivenProgram, startUnderDouble, until } from "./electron-double/drive.ts";
import { expect, test } from "./support/fixtures.ts";
import { dropDataDir, newDataDir } from "./support/program.ts";

const MAIN = "consentry://app/index.html";
const CONSENT = "consentry://app/consent.html";

interface TestWindow extends Window {
  readonly consentry: {
    call(name: string, args: unknown): Promise<unknown>;
    listen(name: string, listener: (event: unknown) => void): () => void;
  };
  readonly __electronDoubleInvoke: (channel: string, args: unknown[]) => Promise<unknown>;
  heard?: unknown[];
}

let program: DrivenProgram;
let dataDir: string;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  dataDir = newDataDir();
  program = await startUnderDouble({ args: ["--data-dir", dataDir] });
});

test.afterAll(async () => {
  await program.stop();
  dropDataDir(dataDir);
});

const call = (page: Page, name: string, args: unknown) =>
  page.evaluate(
    ([asked, given]) => (window as unknown as TestWindow).consentry.call(asked, given),
    [name, args] as const,
  );

const windowAt = async (url: string) => {
  const found = (await program.windows()).find((each) => each.url === url);
  if (found === undefined) throw new Error(`no window shows ${url}`);
  return found;
};

test("the main window comes up with the keyboard, the consent window stays hidden", async () => {
  const page = await program.page(MAIN);
  await page.waitForFunction(() => document.visibilityState === "visible" && document.hasFocus());
  expect((await windowAt(MAIN)).focused).toBe(true);
  const consent = await program.page(CONSENT);
  expect((await windowAt(CONSENT)).visible).toBe(false);
  expect(await consent.evaluate(() => document.visibilityState)).toBe("hidden");
});

test("a page may connect to nothing, not even to where it came from", async () => {
  const page = await program.page(MAIN);
  const outcome = page.evaluate(() => fetch(location.href).then(() => "answered"));
  await expect(outcome).rejects.toThrow(/Failed to fetch/);
});

test("the page is drawn by the built renderer", async () => {
  const page = await program.page(MAIN);
  await page.waitForFunction(() => (document.getElementById("root")?.childElementCount ?? 0) > 0);
});

test("a call goes through preload and host and comes back", async () => {
  const reply = await call(await program.page(MAIN), "app.snapshot", {});
  expect(reply).toMatchObject({ ok: true });
  const refused = await call(await program.page(MAIN), "app.snapshot", { extra: 1 });
  expect(refused).toEqual({ ok: false, code: "invalid_arguments" });
});

test("an event arrives in every window that may hear it", async () => {
  const pages = [await program.page(MAIN), await program.page(CONSENT)];
  for (const page of pages) {
    await page.evaluate(() => {
      const heard: unknown[] = [];
      const here = window as unknown as TestWindow;
      here.heard = heard;
      here.consentry.listen("settings.changed", (event) => heard.push(event));
    });
  }
  const settings = { language: "zh-CN", consent_timeout_ms: 60_000, notifications: true };
  expect(await call(await program.page(MAIN), "settings.set", settings)).toEqual({
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
  const consent = await program.page(CONSENT);
  const unknown = { ok: false, code: "unknown_call" };
  expect(await call(consent, "permissions.revoke_all", {})).toEqual(unknown);
  const past = await consent.evaluate(() =>
    (window as unknown as TestWindow).__electronDoubleInvoke("consentry:call", [
      "permissions.revoke_all",
      {},
    ]),
  );
  expect(past).toEqual(unknown);
});

test("a foreign frame is refused", async () => {
  const page = await program.page(MAIN);
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
  const page = await program.page(MAIN);
  const said = async (what: string) => {
    const found = (await program.record()).filter((entry) => entry.what === what);
    return found.some(({ detail }) => JSON.stringify(detail).includes("evil.example"));
  };
  // One after the other: a navigation under way can swallow the popup of the same moment.
  await page.evaluate(() => void window.open("https://evil.example/"));
  await until(() => said("window.open"));
  await page.evaluate(() => {
    location.href = "https://evil.example/";
  });
  await until(() => said("will-navigate"));
  expect(page.url()).toMatch(/index\.html$/);
  expect(await call(page, "app.snapshot", {})).toMatchObject({ ok: true });
});

interface Asked {
  readonly result: {
    readonly pairings: readonly {
      readonly pairing_id: string;
      readonly scopes: readonly { readonly id: string }[];
    }[];
    readonly consents: readonly { readonly request_id: string; readonly tool_name: string }[];
  };
}

test("a request brings the consent window up without the keyboard, and its end hides it", async () => {
  const page = await program.page(MAIN);
  const shown = async () => ((await call(page, "app.snapshot", {})) as Asked).result;
  await call(page, "sample_agent.start", {});
  const { pairing_id, scopes } = await until(async () => (await shown()).pairings[0]);
  const granted_scopes = scopes.map(({ id }) => id);
  await call(page, "pairing.answer", { pairing_id, accept: true, granted_scopes });
  const request = await until(async () => (await shown()).consents[0]);
  await until(async () => (await windowAt(CONSENT)).visible);
  expect((await windowAt(CONSENT)).focused).toBe(false);
  expect((await windowAt(MAIN)).focused).toBe(true);
  const told = (await program.record()).filter(({ what }) => what === "notification");
  const announcement = { title: "Sample agent", body: request.tool_name };
  expect(told.map(({ detail }) => detail)).toContainEqual(announcement);

  const consent = await program.page(CONSENT);
  await consent.waitForFunction(() => document.visibilityState === "visible");
  await consent.getByText("Sample agent").first().waitFor();
  await call(page, "permissions.revoke_all", {});
  await until(async () => !(await windowAt(CONSENT)).visible);
});

test("closing the main window keeps the program in the tray, whence it opens again", async () => {
  const { window } = await windowAt(MAIN);
  expect(await program.act({ act: "close", window })).toBe(true);
  expect((await windowAt(MAIN)).visible).toBe(false);
  const page = await program.page(MAIN);
  await page.waitForFunction(() => document.hidden);
  expect(await program.act({ act: "tray", label: "打开 Consentry" })).toBe(true);
  expect((await windowAt(MAIN)).visible).toBe(true);
});

test("the tray's Quit ends the program cleanly", async () => {
  expect(await program.act({ act: "tray", label: "退出 Consentry" })).toBe(true);
  expect(await program.exited, program.stderr.join("\n")).toBe(0);
});
