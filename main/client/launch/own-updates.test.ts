import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { UpdatesView } from "../../../app/bridge/views.ts";
import type { OwnUpdates, StartGuard, UpdatesProgram } from "../host-port.ts";
import { LaunchedClient } from "../testing/launched-client.ts";

let client: LaunchedClient;
beforeEach(async () => {
  client = await LaunchedClient.start();
});

/** A host that updates the program, as far as the program sees of it. */
class HostUpdates implements OwnUpdates {
  state: UpdatesView = { state: "idle", version: null, fault: null, checked_at: null };
  program: UpdatesProgram | undefined;
  looked = 0;
  view = () => this.state;
  look = () => {
    this.looked += 1;
  };
  follow = (program: UpdatesProgram) => {
    this.program = program;
  };
}

const guard = (begins: boolean, done: string[]): StartGuard => ({
  begin() {
    done.push("begin");
    return begins;
  },
  ready: () => void done.push("ready"),
  gaveUp: "2.0.0",
});

describe("a program that updates itself", () => {
  it("shows how far it is, says once that a version is ready, and looks when the person says so", async () => {
    const updates = new HostUpdates();
    await client.restart(() => {
      client.hostParts = { updates };
    });
    expect((await client.snapshot()).updates).toEqual(updates.state);
    await client.call("updates.look", {});
    expect(updates.looked).toBe(1);
    updates.state = { state: "ready", version: "2.0.0", fault: null, checked_at: 1 };
    updates.program?.changed();
    expect((await client.snapshot()).notices).toEqual([
      { code: "update_ready", params: { version: "2.0.0" } },
    ]);
    updates.state = { ...updates.state, state: "looking", version: null };
    updates.program?.changed();
    expect((await client.snapshot()).notices).toEqual([]);
  });

  it("follows the settings, and a policy before them", async () => {
    const updates = new HostUpdates();
    await client.restart(() => {
      client.hostParts = { updates };
    });
    expect(updates.program?.settings()).toMatchObject({ updates: true, update_channel: "stable" });
    const { settings } = await client.snapshot();
    await client.call("settings.set", { ...settings, update_channel: "beta" });
    expect(updates.looked).toBe(1);
    await client.call("settings.set", { ...settings, update_channel: "beta", theme: "dark" });
    expect(updates.looked).toBe(1);
    expect(updates.program?.settings()).toMatchObject({ updates: true, update_channel: "beta" });
    await client.restart(() => {
      client.policyFile = join(client.dataDir, "policy.json");
      writeFileSync(client.policyFile, JSON.stringify({ version: 1, updates: "off" }));
    });
    expect(updates.program?.settings()).toMatchObject({ updates: false });
  });

  it("tells its guard when it is ready, and the person which version was given up", async () => {
    const done: string[] = [];
    await client.restart(() => {
      client.hostParts = { startGuard: () => guard(true, done) };
    });
    expect(done).toEqual(["begin", "ready"]);
    expect((await client.snapshot()).notices).toEqual([
      { code: "update_given_up", params: { version: "2.0.0" } },
    ]);
  });

  it("opens nothing and lets go of its data when the version before was put back", async () => {
    const done: string[] = [];
    const before = client.stdout.length;
    await client
      .restart(() => {
        client.hostParts = { startGuard: () => guard(false, done) };
      })
      .catch(() => {});
    expect(done).toEqual(["begin"]);
    expect(client.stdout).toHaveLength(before);
    client.hostParts = {};
    await client.launch();
    expect((await client.snapshot()).hub.connected).toBeDefined();
  });
});

it("a program that somebody else updates has nothing to look for", async () => {
  expect((await client.snapshot()).updates).toBeNull();
  await expect(client.call("updates.look", {})).rejects.toThrow("not_found");
});
