import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { net } from "../../../e2e/electron-double/net.ts";
import { eventually } from "../../client/testing/eventually.ts";
import { LaunchedClient } from "../../client/testing/launched-client.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { ownUpdates } from "./own-updates.ts";
import { type ListChecks, type PackageUpdater, packageUpdater } from "./package-updater.ts";
import { FeedServer } from "./testing/feed-server.ts";

// electron-updater asks Electron for its connections only.
const require = createRequire(import.meta.url);
const electron = require.resolve("electron");
const session = { fromPartition: () => ({}) };
Object.assign(require.cache, { [electron]: { id: electron, exports: { net, session } } });

const CHECKS: ListChecks = { channel: "latest", newest: null, failed: [], running: "1.0.0" };
const PACKAGE_BYTES = 600_000;

describe.runIf(process.platform === "linux")("an update from a feed", () => {
  let folder: string;
  let installed: string;
  let feed: FeedServer;
  let updater: PackageUpdater;

  beforeEach(async () => {
    folder = scratchFolder();
    installed = join(folder, "Consentry.AppImage");
    feed = new FeedServer(join(folder, "feed"));
    const source = await feed.open();
    vi.stubEnv("APPIMAGE", installed);
    // The running package came from a release too, with the map of its blocks.
    await feed.publish("1.0.0", program("1.0.0"));
    writeFileSync(installed, readFileSync(join(feed.folder, "consentry-1.0.0.AppImage")));
    updater = open(source);
  });
  afterEach(() => {
    feed.close();
    vi.unstubAllEnvs();
  });

  /** A script that says its version, then bytes that all versions share. */
  const shared = randomBytes(PACKAGE_BYTES);
  function program(version: string): string {
    const file = join(folder, `built-${version}`);
    writeFileSync(file, `#!/bin/sh\n# ${version}\nexit 0\n`);
    appendFileSync(file, shared);
    return file;
  }
  const open = (source: Awaited<ReturnType<FeedServer["open"]>>) => {
    const own = join(folder, "updates");
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "app-update.yml"), "updaterCacheDirName: consentry-updater\n");
    return packageUpdater("appimage", source, {
      version: "1.0.0",
      name: "consentry",
      isPackaged: true,
      appUpdateConfigPath: join(own, "app-update.yml"),
      userDataPath: own,
      baseCachePath: own,
      whenReady: async () => {},
      relaunch: () => {},
      quit: () => {},
      onQuit: () => {},
    });
  };
  const versionOf = (file: string) => /^# (.*)$/m.exec(readFileSync(file, "latin1"))?.[1];
  const pending = () => join(folder, "updates", "consentry-updater", "pending");

  test("is fetched by its changed blocks alone, and replaces the package", async () => {
    await feed.publish("1.1.0", program("1.1.0"));
    expect(await updater.look(CHECKS)).toEqual({ listed: "1.1.0", offered: true });
    await updater.fetch();
    expect(feed.sent).toBeGreaterThan(0);
    expect(feed.sent).toBeLessThan(PACKAGE_BYTES / 4);
    expect(versionOf(installed)).toBe("1.0.0");
    updater.install();
    expect(versionOf(installed)).toBe("1.1.0");
  });

  test("is shown and fetched while the program runs and a request waits, and installed only after its end", async () => {
    await feed.publish("1.1.0", program("1.1.0"));
    let quit = () => {};
    const updates = ownUpdates({
      version: "1.0.0",
      open: async () => updater,
      keepCurrent: async () => {},
      failed: () => [],
      atEnd: (run) => {
        quit = run;
      },
    });
    const client = await LaunchedClient.start();
    await client.restart(() => {
      client.hostParts = { updates };
    });
    const agent = await client.addAgent();
    const waiting = agent.call("write_clipboard", { text: "x" });
    await client.waitingCard();
    await client.call("updates.look", {});
    await eventually(async () => (await client.snapshot()).updates?.state === "ready" || undefined);
    const { consents, notices } = await client.snapshot();
    expect(consents).toHaveLength(1);
    expect(notices).toEqual([{ code: "update_ready", params: { version: "1.1.0" } }]);
    expect(versionOf(installed)).toBe("1.0.0");
    await client.answer("deny");
    await waiting;
    expect(versionOf(installed)).toBe("1.0.0");
    await client.close();
    // What the desktop host does when Electron has quit.
    quit();
    expect(versionOf(installed)).toBe("1.1.0");
  });

  test("is not there while the list offers what runs", async () => {
    expect(await updater.look(CHECKS)).toEqual({ listed: "1.0.0", offered: false });
  });

  test("is refused when its list is not signed, or was changed after it was signed", async () => {
    await feed.publish("1.1.0", program("1.1.0"));
    feed.writeList("latest", readFileSync(feed.list(), "utf8").replace("1.1.0", "1.1.1"));
    await expect(updater.look(CHECKS)).rejects.toMatchObject({ code: "unsigned" });
    feed.withdrawSignature();
    await expect(updater.look(CHECKS)).rejects.toMatchObject({ code: "unsigned" });
    expect(feed.sent).toBe(0);
  });

  test("is refused with another key's signature, and with that of another channel's list", async () => {
    const other = new FeedServer(join(folder, "other"));
    await other.publish("1.1.0", program("1.1.0"));
    writeFileSync(feed.list(), readFileSync(other.list()));
    writeFileSync(`${feed.list()}.sig`, readFileSync(`${other.list()}.sig`));
    await expect(updater.look(CHECKS)).rejects.toMatchObject({ code: "unsigned" });
    await feed.publish("1.2.0-beta.1", program("1.2.0-beta.1"), "beta");
    writeFileSync(feed.list(), readFileSync(feed.list("beta")));
    writeFileSync(`${feed.list()}.sig`, readFileSync(`${feed.list("beta")}.sig`));
    await expect(updater.look(CHECKS)).rejects.toMatchObject({ code: "unsigned" });
  });

  test("is refused when the list is an older one than was seen, though rightly signed", async () => {
    await feed.publish("1.1.0", program("1.1.0"));
    const newest = { ...CHECKS, newest: "1.2.0" };
    await expect(updater.look(newest)).rejects.toMatchObject({ code: "older" });
  });

  test("of a version that did not start here is not offered again", async () => {
    await feed.publish("1.1.0", program("1.1.0"));
    const checks = { ...CHECKS, failed: ["1.1.0"] };
    expect(await updater.look(checks)).toEqual({ listed: "1.1.0", offered: false });
  });

  test("of the beta channel comes from its own list", async () => {
    await feed.publish("1.2.0-beta.1", program("1.2.0-beta.1"), "beta");
    expect((await updater.look(CHECKS)).offered).toBe(false);
    const beta = { ...CHECKS, channel: "beta" as const };
    expect(await updater.look(beta)).toEqual({ listed: "1.2.0-beta.1", offered: true });
  });

  test("for a part of all installations is offered by the number that each draws once", async () => {
    await feed.publish("1.1.0", program("1.1.0"));
    const { signLists } = await import("../../../scripts/packaging/feed-signature.ts");
    signLists(feed.folder, feed.key, 50);
    // electron-updater compares the last four bytes of this id with the share.
    const id = join(folder, "updates", ".updaterId");
    writeFileSync(id, "00000000-0000-5000-8000-0000ffff0000");
    expect((await open(await reopened()).look(CHECKS)).offered).toBe(false);
    writeFileSync(id, "00000000-0000-5000-8000-000000000001");
    expect((await open(await reopened()).look(CHECKS)).offered).toBe(true);
  });
  const reopened = () => {
    feed.close();
    return feed.open();
  };

  test("with a damaged package is not installed", async () => {
    await feed.publish("1.1.0", program("1.1.0"));
    feed.damage("1.1.0");
    await updater.look(CHECKS);
    await expect(updater.fetch()).rejects.toMatchObject({ code: "damaged" });
    updater.install();
    expect(versionOf(installed)).toBe("1.0.0");
  });

  test("that is cut off leaves nothing to install, and is fetched at the next try", async () => {
    await feed.publish("1.1.0", program("1.1.0"));
    feed.cutAfter = 1_000;
    await updater.look(CHECKS);
    await expect(updater.fetch()).rejects.toMatchObject({ code: "unreachable" });
    updater.install();
    expect(versionOf(installed)).toBe("1.0.0");
    expect(existsSync(join(pending(), "update-info.json"))).toBe(false);
    feed.cutAfter = null;
    await updater.look(CHECKS);
    await updater.fetch();
    updater.install();
    expect(versionOf(installed)).toBe("1.1.0");
  });

  test("is not found while the feed cannot be reached", async () => {
    feed.close();
    await expect(updater.look(CHECKS)).rejects.toMatchObject({ code: "unreachable" });
    rmSync(feed.folder, { recursive: true });
  });
});
