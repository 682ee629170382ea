import {
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { NOT_ADDED_EXIT } from "../../../app/contract/connected-model.ts";
import { LaunchedClient } from "../testing/launched-client.ts";
import { claimInstance } from "./instance-lock.ts";

let client: LaunchedClient;

const file = (name: string) => join(client.dataDir, name);

describe("the launched program", () => {
  it("says in one line of JSON that it is ready, and everything else to people", async () => {
    client = await LaunchedClient.start();
    expect(client.stdout.map((line) => JSON.parse(line))).toEqual([
      {
        event: "ready",
        host: "browser",
        ui: "memory:",
        hub: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      },
    ]);
    expect(client.stderr.join("\n")).toContain(client.hubUrl);
  });

  it("writes where its hub is, for its owner alone, and takes that back at its end", async () => {
    client = await LaunchedClient.start();
    expect(readFileSync(file("hub.url"), "utf8")).toBe(`${client.hubUrl}\n`);
    expect(statSync(file("hub.url")).mode & 0o777).toBe(0o600);
    await client.close();
    expect(existsSync(file("hub.url"))).toBe(false);
  });

  it("keeps its folder and everything in it from other users of the computer", async () => {
    client = await LaunchedClient.start();
    await client.addAgent();
    expect(statSync(client.dataDir).mode & 0o777).toBe(0o700);
    for (const name of ["consentry.db", "hub.db", "instance.lock", "instance.sock"]) {
      expect(statSync(file(name)).mode & 0o077, name).toBe(0);
    }
  });

  it("sets a damaged database aside, says so, and runs", async () => {
    client = await LaunchedClient.start();
    await client.restart(() => writeFileSync(file("consentry.db"), "no database".repeat(1_000)));
    const { notices } = await client.snapshot();
    expect(notices).toMatchObject([{ code: "database_set_aside" }]);
    const moved = notices[0]?.params.file ?? "";
    expect(readFileSync(moved, "utf8")).toContain("no database");
    await client.call("notices.dismiss", { code: "database_set_aside" });
    expect((await client.snapshot()).notices).toEqual([]);
  });

  it("tells of an older log at every start, until the person acknowledges it", async () => {
    const codes = async () => (await client.snapshot()).notices.map(({ code }) => code);
    client = await LaunchedClient.start();
    const agent = await client.addAgent();
    await client.restart(() =>
      cpSync(client.dataDir, `${client.dataDir}-copy`, { recursive: true }),
    );
    await agent.call("read_file", {});
    await client.restart(() => {
      rmSync(client.dataDir, { recursive: true });
      renameSync(`${client.dataDir}-copy`, client.dataDir);
    });
    for (let starts = 0; starts < 2; starts += 1) {
      expect(await codes()).toEqual(["log_rolled_back"]);
      await client.call("notices.dismiss", { code: "log_rolled_back" });
      expect(await codes()).toEqual(["log_rolled_back"]);
      expect(await client.call("activity.verify", {})).toMatchObject({ fault: "rolled_back" });
      await client.restart();
    }
    await client.call("activity.acknowledge", {});
    for (let starts = 0; starts < 2; starts += 1) {
      expect(await codes()).toEqual([]);
      expect(await client.call("activity.verify", {})).toMatchObject({
        ok: true,
        acknowledged: [{ first_lost: 1 }],
      });
      await client.restart();
    }
  });

  it("refuses a hub port that is taken, and leaves nothing open or behind", async () => {
    client = new LaunchedClient();
    onTestFinished(() => client.end());
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const address = taken.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    client.hubIsAt(`http://127.0.0.1:${address.port}`);
    await expect(client.launch()).rejects.toMatchObject({ code: "port_in_use" });
    expect(existsSync(file("hub.url"))).toBe(false);
    await new Promise((resolve) => taken.close(resolve));
    await client.launch();
    await client.reconnected();
  });

  it("a second one on the same folder raises the first and ends", async () => {
    client = await LaunchedClient.start();
    await client.launchSecond();
    expect(JSON.parse(client.stdout.at(-1) ?? "")).toEqual({
      event: "already_running",
      ui: "memory:",
    });
    expect(client.stderr.at(-1)).toContain("already runs");
  });

  it("one that is started while another ends starts after it", async () => {
    client = await LaunchedClient.start();
    await Promise.all([client.close(), client.launch()]);
    expect(JSON.parse(client.stdout.at(-1) ?? "")).toMatchObject({ event: "ready" });
  });

  it("says so when another on the same folder does not answer", async () => {
    client = new LaunchedClient();
    onTestFinished(() => client.end());
    const claim = await claimInstance(client.dataDir);
    const second = client.launchSecond();
    client.time.jump(60_000);
    await second;
    expect(client.stderr).toEqual([
      `Consentry already runs on ${client.dataDir}, but does not answer.`,
    ]);
    if (claim.kind === "first") claim.lock.release();
  });

  it("says nothing of a sample agent that the person did not add", async () => {
    client = await LaunchedClient.start();
    await client.call("sample_agent.start", {});
    client.host.started[0]?.exit(NOT_ADDED_EXIT);
    expect(await client.snapshot()).toMatchObject({
      sample_agent: { state: "idle", code: null },
      notices: [],
    });
  });

  it("starts the sample agent once, and says when it failed", async () => {
    client = await LaunchedClient.start();
    await client.call("sample_agent.start", {});
    expect(client.host.started).toMatchObject([
      { args: ["--hub", client.hubUrl, "--user", expect.any(String)], ended: false },
    ]);
    expect((await client.snapshot()).sample_agent).toEqual({ state: "running", code: null });
    client.host.started[0]?.said({ event: "code", code: "ABC-123" });
    expect((await client.snapshot()).sample_agent).toEqual({ state: "running", code: "ABC-123" });
    await expect(client.call("sample_agent.start", {})).rejects.toThrow("already_running");
    client.host.started[0]?.exit(1);
    expect(await client.snapshot()).toMatchObject({
      sample_agent: { state: "idle", code: null },
      notices: [{ code: "sample_agent_failed" }],
    });
    await client.call("sample_agent.start", {});
    await client.close();
    expect(client.host.started.map(({ ended }) => ended)).toEqual([false, true]);
  });
});
