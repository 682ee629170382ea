/** An installed program updates itself, as the person sees it in the settings, on the Electron double. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { FeedServer } from "../main/desktop/updates/testing/feed-server.ts";
import { until } from "./electron-double/drive.ts";
import { CONSENT, Desktop } from "./support/desktop.ts";
import { expect, test } from "./support/fixtures.ts";
import { dropDataDir, newDataDir } from "./support/program.ts";
import { openSite } from "./support/site.ts";
import { press } from "./support/stage.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

test.skip(process.platform !== "linux", "what is updated here is an AppImage");

/** The built program as a release has it: with the address of a feed, and the key of its lists. */
function installFrom(feed: object, folder: string): URL {
  cpSync(join(root, "dist/main"), join(folder, "dist/main"), {
    recursive: true,
    filter: (file) => !file.endsWith(".map"),
  });
  for (const part of ["renderer", "preload"]) {
    symlinkSync(join(root, "dist", part), join(folder, "dist", part));
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "dist/main/update-feed.json"), JSON.stringify(feed));
  // As the packager writes it beside the archive.
  writeFileSync(join(folder, "app-update.yml"), "updaterCacheDirName: consentry-updater\n");
  return pathToFileURL(join(folder, "dist/main/desktop-main.js"));
}

test("an update that is not right is refused in words; a good one is installed when the program has ended, not while a call runs or waits", async () => {
  const folder = newDataDir();
  const feed = new FeedServer(join(folder, "feed"));
  let asked = false;
  const site = await openSite(() => {
    // Its answer never comes.
    asked = true;
  });
  const entry = installFrom(await feed.open(), folder);
  const APPIMAGE = join(folder, "Consentry.AppImage");
  const desktop = new Desktop({ entry, env: { APPIMAGE, ELECTRON_DOUBLE_RESOURCES: folder } });
  const built = (version: string): string => {
    const file = join(folder, `built-${version}`);
    writeFileSync(file, `#!/bin/sh\n# ${version}\nexit 0\n`);
    return file;
  };
  const installed = () => /^# (.*)$/m.exec(readFileSync(APPIMAGE, "latin1"))?.[1];
  try {
    cpSync(built("the first"), APPIMAGE);
    await desktop.start();
    const { page } = desktop;
    await page.getByTestId("nav-settings").click();
    const state = page.getByTestId("settings-update-state");
    const look = page.getByTestId("settings-update-look");
    const choose = async (channel: string) => {
      await page.getByTestId("settings-update-channel").getByRole("button").click();
      await page.getByRole("option", { name: channel }).click();
    };
    await expect(state).toContainText("Not looked for updates yet.");

    await feed.publish("8.0.0", built("8.0.0"));
    feed.withdrawSignature();
    await look.click();
    await expect(state).toContainText("is not signed by the makers of Consentry");

    await feed.publish("8.0.0", built("8.0.0"));
    feed.damage("8.0.0");
    await look.click();
    await expect(state).toContainText("The download was damaged and has been deleted.");

    await feed.publish("7.0.0", built("7.0.0"));
    await look.click();
    await expect(state).toContainText("an older list of versions than before");

    await feed.publish("9.0.0-beta.1", built("9.0.0-beta.1"), "beta");
    await choose("Beta");
    await expect(state).toContainText("Version 9.0.0-beta.1 is ready.");
    await choose("Stable");
    await expect(state).toContainText("an older list of versions than before");

    const agent = await desktop.addAgent(["network:http", "clipboard:write"]);
    void agent.call("fetch_url", { url: site.url });
    const consent = await desktop.program.page(CONSENT);
    await press(consent.getByTestId("consent-allow-once"));
    await until(() => asked);
    void agent.call("write_clipboard", { text: "waits" });
    await desktop.waiting();
    await feed.publish("9.0.0", built("9.0.0"));
    await look.click();
    await expect(state).toContainText("Version 9.0.0 is ready. It is installed when you quit");
    await page.getByTestId("nav-home").click();
    await expect(page.getByText("A new version of Consentry is ready.")).toBeVisible();
    expect(installed()).toBe("the first");
    expect(await desktop.snapshot()).toMatchObject({
      consents: [{ tool_name: "write_clipboard" }],
      running: [{ tool_name: "fetch_url" }],
    });

    await desktop.program.act({ act: "tray", label: "Quit Consentry" });
    expect(await desktop.program.exited).toBe(0);
    expect(installed()).toBe("9.0.0");
  } finally {
    await desktop.end();
    feed.close();
    site.close();
    dropDataDir(folder);
  }
});
