import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "./support/command-fixtures.ts";
import { electronBinary } from "./support/electron-binary.ts";
import { expect } from "./support/fixtures.ts";

test("says on stdout that it is ready, in one line of JSON, and to people the rest", async ({
  commands,
}) => {
  const command = commands.start();
  const ready = await command.ready();
  expect(ready).toEqual({
    event: "ready",
    host: "browser",
    ui: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/),
    hub: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
  });
  expect(command.stderr).toContain("Starting the browser host: --host browser.");
  expect(command.stderr).toContain(ready.ui);
  expect(command.stderr).toContain(ready.hub);
  expect(readFileSync(join(commands.dataDir, "hub.url"), "utf8").trim()).toBe(ready.hub);
  expect(await command.end()).toBe(0);
  expect(command.stdoutLines).toHaveLength(1);
});

test("does not take the browser host where the desktop one was asked for", async ({ commands }) => {
  test.skip(electronBinary() !== null, "an Electron binary is installed here");
  const lacking = [
    { env: {}, why: "there is no display" },
    { env: { DISPLAY: ":0" }, why: "no Electron binary is installed" },
  ];
  for (const { env, why } of lacking) {
    const command = commands.run(["--host", "desktop", "--data-dir", commands.dataDir], env);
    expect(await command.exited).toBe(1);
    expect(command.stderrLines).toEqual([`The desktop host cannot run here: ${why}.`]);
    expect(command.stdout).toBe("");
    expect(existsSync(commands.dataDir)).toBe(false);
  }
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  test(`${signal} ends it cleanly, and it starts again`, async ({ commands }) => {
    const command = commands.start();
    await command.ready();
    expect(await command.end(signal)).toBe(0);
    expect(existsSync(join(commands.dataDir, "hub.url"))).toBe(false);
    const again = commands.start();
    expect(await again.ready()).toMatchObject({ event: "ready" });
    expect(again.stderr).not.toContain("damaged");
  });
}

test("a second start on the same folder brings the first one up, and ends", async ({
  commands,
  page,
}) => {
  const first = commands.start();
  const { ui } = await first.ready();
  const second = commands.start();
  expect(await second.exited).toBe(0);
  expect(second.stdoutLines).toHaveLength(1);
  const said = JSON.parse(second.stdout);
  expect(said).toEqual({ event: "already_running", ui: expect.any(String) });
  expect(second.stderr).toContain(`Consentry already runs on ${commands.dataDir}`);
  expect(new URL(said.ui).origin).toBe(new URL(ui).origin);
  expect(said.ui).not.toBe(ui);
  await page.goto(said.ui);
  await expect(page.getByTestId("nav-home")).toBeVisible();
  expect(await first.end()).toBe(0);
});

test("keeps its data where the platform keeps it, unless told otherwise", async ({ commands }) => {
  test.skip(process.platform !== "linux", "the XDG folders are a convention of Linux");
  const flags = ["--host", "browser", "--no-open", "--hub-port", "0"];
  const home = join(commands.folder, "home");
  const share = join(commands.folder, "share");
  const started = [
    { env: { HOME: home, XDG_DATA_HOME: share }, folder: join(share, "Consentry") },
    { env: { HOME: home, XDG_DATA_HOME: undefined }, folder: join(home, ".local/share/Consentry") },
  ];
  for (const { env, folder } of started) {
    const command = commands.run(flags, env);
    await command.ready();
    expect(existsSync(join(folder, "consentry.db")), folder).toBe(true);
    expect(await command.end()).toBe(0);
  }
});
