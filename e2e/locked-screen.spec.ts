/** A locked screen, as the buses of a free desktop tell of it, on buses of the test's own. */
import { join } from "node:path";
import { hasBusDaemon, startBusDaemon } from "../main/dbus/testing/bus-daemon.ts";
import { type FakeLock, fakeLogind, fakeScreenSaver } from "../main/dbus/testing/fake-locks.ts";
import { electronBinary } from "./support/electron-binary.ts";
import { expect, test } from "./support/fixtures.ts";
import { startProgram } from "./support/program.ts";
import { Stage } from "./support/stage.ts";

/** Longer than a high request waits for an answer once it was seen. */
const TOO_LONG_MS = 31_000;

test.skip(!hasBusDaemon, "no dbus-daemon here");

const locks: FakeLock[] = [];
const ends: (() => void | Promise<void>)[] = [];
const atEnd = (end: () => void | Promise<void>) => void ends.push(end);
let stage: Stage;

test.beforeEach(async ({ browser, host }) => {
  const electronPath = electronBinary();
  test.skip(host === "electron" && electronPath === null, "no Electron binary on this machine");
  const [system, session] = await Promise.all([startBusDaemon(atEnd), startBusDaemon(atEnd)]);
  const saver = ["org.gnome.ScreenSaver", "/org/gnome/ScreenSaver"] as const;
  locks.push(await fakeLogind(system.address, process.getuid?.() ?? 0, true, atEnd));
  locks.push(await fakeScreenSaver(session.address, ...saver, atEnd));
  const addresses = {
    DBUS_SYSTEM_BUS_ADDRESS: system.address,
    DBUS_SESSION_BUS_ADDRESS: session.address,
  };
  stage = new Stage(
    ({ env, ...place }) =>
      startProgram({ ...place, env: { ...env, ...addresses }, host, browser, electronPath }),
    false,
  );
  await stage.start();
});

test.afterEach(async () => {
  await stage?.end();
  locks.splice(0);
  for (const end of ends.splice(0).reverse()) await end();
});

for (const [teller, at] of [
  ["logind", 0],
  ["the screen saver", 1],
] as const) {
  test(`where ${teller} says that the screen is locked, nothing is seen, and nothing approved`, async () => {
    const { agent } = await stage.connectedAgent();
    const path = join(stage.folderWith({}), "new.txt");
    const asked = locks[at]?.asked.length ?? 0;
    locks[at]?.set(true);
    await expect.poll(() => locks[at]?.asked.length).toBeGreaterThan(asked);
    const outcome = agent.call("write_file", { path, content: "." });
    const card = await stage.card();
    await stage.program.jump(TOO_LONG_MS);
    await expect(card.getByTestId("consent-countdown")).toHaveAttribute("data-running", "false");
    locks[at]?.set(false);
    await expect(card.getByTestId("consent-countdown")).toHaveAttribute("data-running", "true");
    // Locked again under what was seen: an approval that is clicked blindly counts for nothing.
    locks[at]?.set(true);
    await expect.poll(() => locks[at]?.asked.length).toBeGreaterThan(asked + 2);
    await card.getByTestId("consent-allow-once").click({ force: true });
    await expect(card).toBeVisible();
    await stage.program.jump(TOO_LONG_MS);
    expect(await outcome).toMatchObject({ error: { reason: "user_timeout" } });
  });
}
