import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ScratchFolder } from "../main/testing/scratch-folder.ts";
import { scriptedModel } from "./scripted-model/scripted-model.ts";
import { run as runHost } from "./testing/run-host.ts";

const scratch = ScratchFolder.forEachTest();

const CONFIG = { dataDir: "data", providers: { openai: { apiKeyEnv: "TEST_KEY" } } };

async function configFile(config: unknown = CONFIG): Promise<string> {
  const file = join(scratch.base, "host.json");
  await writeFile(file, typeof config === "string" ? config : JSON.stringify(config));
  return file;
}

const run = (args: readonly string[]) => runHost(args, { TEST_KEY: "sk" });

describe("keys", () => {
  it("are printed alone, once, and kept as digests that only the owner can read", async () => {
    const config = await configFile();
    const { code, out } = run(["keys", "add", "laptop", "--config", config]);
    expect(await code).toBe(0);
    expect(out).toEqual([expect.stringMatching(/^ahk_[\w-]{43}$/)]);
    const file = join(scratch.base, "data/keys.json");
    expect(await readFile(file, "utf8")).not.toContain(out[0]);
    if (process.platform !== "win32") expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("of one name are one key, and can be listed and removed", async () => {
    const config = await configFile();
    await run(["keys", "add", "laptop", "--config", config]).code;
    const again = run(["keys", "add", "laptop", "--config", config]);
    expect([await again.code, again.err]).toEqual([1, ["name_taken"]]);
    const list = run(["keys", "list", "--config", config]);
    await list.code;
    expect(list.out).toEqual([expect.stringMatching(/^\d{4}-.*Z laptop$/)]);
    expect(await run(["keys", "remove", "laptop", "--config", config]).code).toBe(0);
    const gone = run(["keys", "remove", "laptop", "--config", config]);
    expect([await gone.code, gone.err]).toEqual([1, ["name_unknown"]]);
  });

  it("need none of the providers' keys", async () => {
    const config = await configFile();
    const commands = [["add", "laptop"], ["list"], ["remove", "laptop"]];
    for (const command of commands) {
      const { code, err } = runHost(["keys", ...command, "--config", config]);
      expect([await code, err]).toEqual([0, []]);
    }
  });

  it("count at once while the host runs, and no more once they are removed", async () => {
    const config = await configFile();
    const host = run(["--listen", "127.0.0.1:0", "--config", config]);
    const { url } = JSON.parse(await host.ready);
    const ask = (key: string | undefined) =>
      fetch(`${url}/api/v1/tools`, { headers: { authorization: `Bearer ${key}` } });
    expect((await ask("ahk_x")).status).toBe(401);
    const added = run(["keys", "add", "laptop", "--config", config]);
    await added.code;
    expect((await ask(added.out[0])).status).toBe(200);
    await run(["keys", "remove", "laptop", "--config", config]).code;
    expect((await ask(added.out[0])).status).toBe(401);
    host.stop();
    expect(await host.code).toBe(0);
  });
});

describe("the host", () => {
  it("prints one line when it is ready, ends when it is told to, and writes nothing of a chat", async () => {
    await using model = await scriptedModel(() => ({ text: "A very secret answer." }));
    const openai = { baseUrl: `${model.url}/v1`, apiKey: "sk" };
    const config = await configFile({ ...CONFIG, providers: { openai } });
    const added = run(["keys", "add", "laptop", "--config", config]);
    await added.code;
    const before = await readFile(join(scratch.base, "data/keys.json"), "utf8");
    const host = run(["--listen", "127.0.0.1:0", "--config", config]);
    const line = JSON.parse(await host.ready);
    expect(line).toEqual({ event: "ready", url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/) });
    const answer = await fetch(`${line.url}/api/v1/chat`, {
      method: "POST",
      headers: { authorization: `Bearer ${added.out[0]}`, "content-type": "application/json" },
      body: JSON.stringify({
        model: "openai/any",
        messages: [{ role: "user", content: "A very secret question" }],
      }),
    });
    expect(await answer.text()).toContain("A very secret answer.");
    host.stop();
    expect(await host.code).toBe(0);
    expect([host.out.length, host.err]).toEqual([1, []]);
    expect(await readFile(join(scratch.base, "data/keys.json"), "utf8")).toBe(before);
  });

  it("listens where others reach it only when there is a key, and says so", async () => {
    const config = await configFile();
    const open = run(["--listen", "0.0.0.0:0", "--config", config]);
    expect([await open.code, open.err[0]]).toEqual([1, expect.stringContaining("key_needed")]);
    await run(["keys", "add", "laptop", "--config", config]).code;
    const guarded = run(["--listen", "0.0.0.0:0", "--config", config]);
    await guarded.ready;
    expect(guarded.err).toEqual([expect.stringContaining("Other computers can reach")]);
    guarded.stop();
    await guarded.code;
  });

  it("loads tools from folders of the owner's", async () => {
    await writeFile(
      join(scratch.base, "shout.mjs"),
      `export default {
        name: "shout", description: "Say it loudly",
        inputSchema: { type: "object", properties: { text: { type: "string" } } },
        requiredContext: [], execute: async ({ text }) => String(text).toUpperCase(),
      };`,
    );
    const config = await configFile({ ...CONFIG, toolFolders: ["."] });
    const added = run(["keys", "add", "laptop", "--config", config]);
    await added.code;
    const host = run(["--listen", "127.0.0.1:0", "--config", config]);
    const { url } = JSON.parse(await host.ready);
    const headers = { authorization: `Bearer ${added.out[0]}` };
    const { data } = (await (await fetch(`${url}/api/v1/tools`, { headers })).json()) as {
      data: { tools: { name: string }[] };
    };
    expect(data.tools.map(({ name }) => name)).toContain("shout");
    host.stop();
    await host.code;
  });

  it.each([
    ["a module that is no tool", "export default { name: 'no' };", "broken.mjs: no tool"],
    [
      "a name that is taken",
      `export default { name: "zhipin_reply_generator", description: "a",
        inputSchema: { type: "object" }, requiredContext: [], execute: async () => 1 };`,
      "is there already",
    ],
  ])("does not start with %s", async (_, source, message) => {
    await writeFile(join(scratch.base, "broken.mjs"), source);
    const config = await configFile({ ...CONFIG, toolFolders: ["."] });
    const host = run(["--listen", "127.0.0.1:0", "--config", config]);
    expect([await host.code, host.err[0]]).toEqual([1, expect.stringContaining(message)]);
  });

  it.each([
    ["a file that is not there", undefined, "config_unreadable"],
    ["a file that is no JSON", "{", "config_unreadable"],
    ["a field nobody knows", { ...CONFIG, secret: 1 }, "config_invalid"],
    [
      "an address that is none",
      { ...CONFIG, providers: { a: { baseUrl: "a" } } },
      "/providers/a/baseUrl",
    ],
    [
      "a variable that is not set",
      { ...CONFIG, providers: { a: { apiKeyEnv: "NONE" } } },
      "api_key_missing: NONE",
    ],
  ])("names what is wrong with %s", async (_, config, message) => {
    const file = config === undefined ? join(scratch.base, "none.json") : await configFile(config);
    const host = run(["--listen", "127.0.0.1:0", "--config", file]);
    expect([await host.code, host.err[0]]).toEqual([1, expect.stringContaining(message)]);
  });

  it.each([
    [[]],
    [["--config", "a"]],
    [["--listen", "nowhere", "--config", "a"]],
    [["--listen", "127.0.0.1:99999", "--config", "a"]],
    [["keys", "--config", "a"]],
    [["keys", "add", "--config", "a"]],
    [["keys", "list", "name", "--config", "a"]],
    [["--unknown"]],
  ])("says how it is used after %j", async (args) => {
    const host = run(args);
    expect([await host.code, host.err[0]]).toEqual([2, expect.stringContaining("usage:")]);
  });

  it("cannot listen where another one does", async () => {
    const config = await configFile();
    const first = run(["--listen", "127.0.0.1:0", "--config", config]);
    const { port } = new URL(JSON.parse(await first.ready).url);
    const second = run(["--listen", `127.0.0.1:${port}`, "--config", config]);
    expect([await second.code, second.err[0]]).toEqual([1, expect.stringContaining("EADDRINUSE")]);
    first.stop();
    await first.code;
  });
});
