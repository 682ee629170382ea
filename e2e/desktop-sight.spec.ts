/** What counts as seen in the desktop host: what the windows themselves know, not what pages say. */
import type { Page } from "playwright-core";
import { until } from "./electron-double/drive.ts";
import { CONSENT, sharedDesktop } from "./support/desktop.ts";
import { expect, test } from "./support/fixtures.ts";
import type { RunningAgent } from "./support/running-agent.ts";

const desktop = sharedDesktop();
let consent: Page;
let agent: RunningAgent;

test.beforeAll(async () => {
  consent = await desktop.program.page(CONSENT);
  agent = await desktop.addAgent(["clipboard:read"]);
  // Requests wait from one test to the next, on machines that are slow.
  const settings = { ...(await desktop.snapshot()).settings, consent_timeout_ms: 300_000 };
  expect(await desktop.call("settings.set", settings)).toMatchObject({ ok: true });
});

const consentWindow = () => desktop.windowAt(CONSENT);
/** Whether the request's countdown runs. */
const isOpened = async (request_id: string) =>
  (await desktop.snapshot()).consents.find((each) => each.request_id === request_id)
    ?.remaining_ms !== null;
const TOO_EARLY = { ok: false, code: "too_early" };

test("a request behind a locked screen is not seen, whatever its page says, until it is unlocked", async () => {
  expect(await desktop.program.act({ act: "lock" })).toBe(true);
  const asked = agent.call("read_clipboard", {});
  const { request_id } = await desktop.waiting(0);
  await until(async () => (await consentWindow()).visible);
  await consent.getByTestId("consent-card").waitFor();
  expect(await consent.evaluate(() => document.visibilityState)).toBe("visible");
  expect(await desktop.call("consent.opened", { request_id }, consent)).toEqual(TOO_EARLY);
  expect(await isOpened(request_id)).toBe(false);
  expect(await desktop.program.act({ act: "unlock" })).toBe(true);
  await until(() => isOpened(request_id));
  const allow = consent.getByTestId("consent-allow-once");
  await expect(allow).toHaveAttribute("aria-disabled", "false");
  await allow.click();
  expect(await asked).toMatchObject({ result: {} });
});

test("a minimised window opens nothing and approves nothing, and comes back as one just seen", async () => {
  void agent.call("read_clipboard", {});
  const first = await desktop.waiting(0);
  await until(() => isOpened(first.request_id));
  const { window } = await consentWindow();
  expect(await desktop.program.act({ act: "minimize", window })).toBe(true);
  void agent.call("read_clipboard", {});
  const { request_id } = await desktop.waiting(1);
  const approval = { request_id: first.request_id, answer: "allow_once" };
  expect(await desktop.call("consent.answer", approval, consent)).toEqual(TOO_EARLY);
  expect(await desktop.call("consent.opened", { request_id }, consent)).toEqual(TOO_EARLY);
  expect(await isOpened(request_id)).toBe(false);
  expect(await desktop.program.act({ act: "restore", window })).toBe(true);
  await consent.getByTestId("waiting-fold").click();
  await consent.locator(`[data-testid="waiting-row"][data-request-id="${request_id}"]`).click();
  await until(() => isOpened(request_id));
});

test("what is out of sight can still be denied", async () => {
  const { window } = await consentWindow();
  expect(await desktop.program.act({ act: "close", window })).toBe(true);
  expect((await consentWindow()).visible).toBe(false);
  const { request_id } = await desktop.waiting(1);
  expect(
    await desktop.call("consent.answer", { request_id, answer: "deny" }, consent),
  ).toMatchObject({
    ok: true,
  });
  await until(async () => (await desktop.snapshot()).consents.length === 1);
});
