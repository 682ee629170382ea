import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { nodePrimitives } from "../../../runtime/crypto/node-primitives.ts";
import { readHostKeyFile } from "../../keys/host-key.ts";
import { inHomeOfNobody } from "../../testing/home-of-nobody.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { eventually } from "../testing/eventually.ts";
import { LaunchedClient } from "../testing/launched-client.ts";

const SCRIPT = fileURLToPath(new URL("../../../scripts/own-data.ts", import.meta.url));
const AUDIT = fileURLToPath(new URL("../../../scripts/audit.ts", import.meta.url));

inHomeOfNobody();

let client: LaunchedClient;
beforeEach(async () => {
  client = await LaunchedClient.start();
});

describe("everything of the person's", () => {
  it("is in one file: settings, agents with what they were given, conversations, and a log that can be verified", async () => {
    const agent = await client.addAgent();
    await agent.call("send_notification", { title: "hello" });
    await agent.sdk.send(agent.credentials.conversationId, { type: "text", text: "good evening" });
    const folder = scratchFolder();
    await client.call("permissions.add_root", { agent_id: agent.id, path: folder, access: "read" });
    await eventually(async () => {
      await client.call("data.export", {});
      return client.host.delivered.at(-1)?.text.includes("good evening") ? true : undefined;
    });
    const { name = "", text = "" } = client.host.delivered.at(-1) ?? {};
    expect(name).toMatch(/^consentry-data-\d{8}T\d{6}Z\.consentry$/);
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const ofKind = (kind: string) => lines.filter((line) => line.kind === kind);
    expect(lines[0]).toMatchObject({ format: "consentry-export", version: 2 });
    expect(ofKind("settings")).toMatchObject([{ settings: { notifications: true } }]);
    expect(ofKind("agent")).toMatchObject([{ agent_id: agent.id, roots: [{ path: folder }] }]);
    expect(ofKind("message")).toMatchObject([{ content: { text: "good evening" } }]);

    const file = join(folder, name);
    writeFileSync(file, text);
    const told = execFileSync(process.execPath, [SCRIPT, file], { encoding: "utf8" });
    expect(told).toContain("agent: 1\n");
    expect(told).toMatch(/log: [1-9]/);
    const log = join(folder, "log.jsonl");
    const begin = '{"kind":"log"}\n';
    writeFileSync(log, text.slice(text.indexOf(begin) + begin.length));
    const verified = spawnSync(process.execPath, [AUDIT, "verify", "--file", log]);
    expect(verified.status).toBe(0);
  });

  it("holds no key and no token", async () => {
    const agent = await client.addAgent();
    await client.call("data.export", {});
    const text = client.host.delivered.at(-1)?.text ?? "";
    expect(text).toContain(agent.id);
    expect(text).not.toContain(agent.credentials.token);
    const file = readHostKeyFile(nodePrimitives, readFileSync(join(client.dataDir, "host.key")));
    const key = Buffer.from(file.body);
    expect(key.length).toBeGreaterThanOrEqual(32);
    for (const encoding of ["hex", "base64", "base64url"] as const) {
      expect(text).not.toContain(key.toString(encoding).replaceAll("=", ""));
    }
  });

  it("is read line by line, whatever characters its texts have", async () => {
    await client.addAgent();
    const [agent] = (await client.snapshot()).agents;
    const renamed = { agent_id: agent?.agent_id ?? "", petname: "two\u2028three\u2029lines" };
    await client.call("agents.rename", renamed);
    await client.call("data.export", {});
    const text = client.host.delivered.at(-1)?.text ?? "";
    expect(text).toContain("\u2028");
    const file = join(scratchFolder(), "data.consentry");
    writeFileSync(file, text);
    const run = spawnSync(process.execPath, [SCRIPT, file], { encoding: "utf8" });
    expect(run).toMatchObject({ status: 0, stderr: "" });
  });

  it("that was cut off is noticed by the script that reads it", async () => {
    const agent = await client.addAgent();
    await agent.call("send_notification", { title: "one" });
    await agent.call("send_notification", { title: "two" });
    await client.call("data.export", {});
    const file = join(scratchFolder(), "cut.jsonl");
    const text = client.host.delivered.at(-1)?.text ?? "";
    const log = text.indexOf('{"kind":"log"}');
    const header = text.indexOf("\n", log) + 1;
    const cuts: [number, string][] = [
      [log, "its log is missing"],
      [header, "its log is missing"],
      [text.indexOf("\n", header) + 1, "its log ends before entry "],
      [text.lastIndexOf("\n", text.length - 2) + 1, "its log ends before entry "],
    ];
    for (const [at, said] of cuts) {
      writeFileSync(file, text.slice(0, at));
      const run = spawnSync(process.execPath, [SCRIPT, file], { encoding: "utf8" });
      expect(run).toMatchObject({ status: 1, stderr: expect.stringContaining(said) });
    }
  });
});

describe("removing all data", () => {
  it("ends the program and leaves nothing of it; the next start is a first one", async () => {
    await client.addAgent();
    mkdirSync(join(client.dataDir, "electron"));
    writeFileSync(join(client.dataDir, "consentry.db.damaged-20260101T000000Z"), "");
    const told: string[] = [];
    client.program.subscribe((name) => told.push(name), new AbortController().signal);
    await client.call("data.remove", {});
    expect(told).toContain("data.removed");
    await eventually(async () => (existsSync(client.dataDir) ? undefined : true));
    expect(client.stderr).toContain("All data was removed.");
    expect(readdirSync(client.anchors)).toEqual([]);
    await client.restart();
    const { agents, settings, notices } = await client.snapshot();
    expect([agents, settings.language, notices]).toEqual([[], null, []]);
  });

  it("keeps what is not ours in a folder that the person named", async () => {
    const theirs = [
      "electron-app",
      "electron.vite.config.ts",
      "letters",
      "programs-old",
      "updates.d",
    ];
    for (const name of theirs) {
      mkdirSync(join(client.dataDir, name));
      writeFileSync(join(client.dataDir, name, "consentry.db"), "mine");
    }
    await client.call("data.remove", {});
    await eventually(async () =>
      existsSync(join(client.dataDir, "consentry.db")) ? undefined : true,
    );
    expect(readdirSync(client.dataDir).toSorted()).toEqual(theirs);
    for (const name of theirs) {
      expect(readFileSync(join(client.dataDir, name, "consentry.db"), "utf8")).toBe("mine");
    }
  });
});
