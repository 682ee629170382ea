/** What counts as seen in the desktop host: what the windows themselves know, not what pages say. */
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type DrivenProgram, startUnderDouble, until } from "./electron-double/drive.ts";
import { expect, test } from "./support/fixtures.ts";
import { MANIFEST } from "./support/manifest.ts";
import { dropDataDir, newDataDir } from "./support/program.ts";
import { RunningAgent } from "./support/running-agent.ts";

const MAIN = "consentry://app/index.html";
const CONSENT = "consentry://app/consent.html";

interface Reply {
  readonly ok: boolean;
  readonly code?: string;
  readonly result?: unknown;
}

interface TestWindow extends Window {
  readonly consentry: { call(name: string, args: unknown): Promise<Reply> };
}

interface Snapshot {
  readonly pairings: readonly { readonly pairing_id: string }[];
  readonly consents: readonly {
    readonly request_id: string;
    readonly remaining_ms: number | null;
  }[];
}

let folder: string;
let program: DrivenProgram;
let main: Page;
let consent: Page;
let agent: RunningAgent;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  folder = newDataDir();
  const env = { XDG_CONFIG_HOME: join(folder, "config") };
  program = await startUnderDouble({ args: ["--data-dir", join(folder, "data")], env });
  main = await program.page(MAIN);
  consent = await program.page(CONSENT);
  await main.waitForFunction(() => document.hasFocus());
  agent = new RunningAgent((program.ready as { readonly hub: string }).hub, folder);
  const { done } = agent.pair("Ada", MANIFEST);
  const { pairing_id } = await until(async () => (await snapshot()).pairings[0]);
  const granted_scopes = ["clipboard:read"];
  await call(main, "pairing.answer", { pairing_id, accept: true, granted_scopes });
  await done;
  // Requests wait from one test to the next, on machines that are slow.
  const settings = { language: null, consent_timeout_ms: 300_000, notifications: true };
  expect(await call(main, "settings.set", settings)).toMatchObject({ ok: true });
});

test.afterAll(async () => {
  await agent?.kill();
  await program?.stop();
  dropDataDir(folder);
});

const call = (page: Page, name: string, args: unknown) =>
  page.evaluate(
    ([asked, given]) => (window as unknown as TestWindow).consentry.call(asked, given),
    [name, args] as const,
  );
const snapshot = async () => (await call(main, "app.snapshot", {})).result as Snapshot;
const waiting = (nth: number) => until(async () => (await snapshot()).consents[nth]);
/** Whether the request's countdown runs. */
const isOpened = async (request_id: string) =>
  (await snapshot()).consents.find((each) => each.request_id === request_id)?.remaining_ms !== null;
const consentWindow = async () => {
  const found = (await program.windows()).find(({ url }) => url === CONSENT);
  if (found === undefined) throw new Error("there is no consent window");
  return found;
};
const TOO_EARLY = { ok: false, code: "too_early" };

test("a request behind a locked screen is not seen, whatever its page says, until it is unlocked", async () => {
  expect(await program.act({ act: "lock" })).toBe(true);
  const asked = agent.call("read_clipboard", {});
  const { request_id } = await waiting(0);
  await until(async () => (await consentWindow()).visible);
  await consent.getByTestId("consent-card").waitFor();
  expect(await consent.evaluate(() => document.visibilityState)).toBe("visible");
  expect(await call(consent, "consent.opened", { request_id })).toEqual(TOO_EARLY);
  expect(await isOpened(request_id)).toBe(false);
  expect(await program.act({ act: "unlock" })).toBe(true);
  await until(() => isOpened(request_id));
  const allow = consent.getByTestId("consent-allow-once");
  await expect(allow).toHaveAttribute("aria-disabled", "false");
  await allow.click();
  expect(await asked).toMatchObject({ result: {} });
});

test("a minimised window opens nothing and approves nothing, and comes back as one just seen", async () => {
  void agent.call("read_clipboard", {});
  const first = await waiting(0);
  await until(() => isOpened(first.request_id));
  const { window } = await consentWindow();
  expect(await program.act({ act: "minimize", window })).toBe(true);
  void agent.call("read_clipboard", {});
  const { request_id } = await waiting(1);
  const approval = { request_id: first.request_id, answer: "allow_once" };
  expect(await call(consent, "consent.answer", approval)).toEqual(TOO_EARLY);
  expect(await call(consent, "consent.opened", { request_id })).toEqual(TOO_EARLY);
  expect(await isOpened(request_id)).toBe(false);
  expect(await program.act({ act: "restore", window })).toBe(true);
  await consent.locator(`[data-request-id="${request_id}"]`).scrollIntoViewIfNeeded();
  await until(() => isOpened(request_id));
});

test("what is out of sight can still be denied", async () => {
  const { window } = await consentWindow();
  expect(await program.act({ act: "close", window })).toBe(true);
  expect((await consentWindow()).visible).toBe(false);
  const { request_id } = await waiting(1);
  expect(await call(consent, "consent.answer", { request_id, answer: "deny" })).toMatchObject({
    ok: true,
  });
  await until(async () => (await snapshot()).consents.length === 1);
});
