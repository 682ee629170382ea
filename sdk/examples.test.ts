import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { denied } from "../app/contract/codes.ts";
import { type Hub, startHub } from "../hub/index.ts";
import { HasheeAgent } from "./index.ts";
import { testHubOptions } from "./testing/hub-options.ts";
import { ScriptedPerson } from "./testing/scripted-person.ts";
import { MANIFEST } from "./testing/start-agent.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const EXAMPLES = ["pair.ts", "call-tool.ts", "handle-denial.ts"];

let hub: Hub;
let folder: string;
let person: ScriptedPerson;

/** A project of somebody else's: the examples, and the package where an installer puts it. */
beforeAll(async () => {
  hub = await startHub(testHubOptions);
  person = new ScriptedPerson(hub, ({ arguments: { path } }) =>
    path === "/secret" ? denied("user_refused") : { status: "ok", result: "# Notes" },
  );
  await person.arrive();
  folder = await mkdtemp(join(tmpdir(), "sdk-examples-"));
  const installed = join(folder, "node_modules/@consentry/agent-sdk");
  await mkdir(installed, { recursive: true });
  await copyFile(here("./package.json"), join(installed, "package.json"));
  const source = new URL("./index.ts", import.meta.url).href;
  await writeFile(join(installed, "index.js"), `export * from ${JSON.stringify(source)};\n`);
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  for (const name of EXAMPLES) await copyFile(here(`./examples/${name}`), join(folder, name));
});

afterAll(async () => {
  await hub.close();
  await rm(folder, { recursive: true });
});

async function run(example: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, HASHEE_BASE_URL: hub.url, ...env } };
  const { stdout } = await promisify(execFile)(process.execPath, [example], options);
  return stdout;
}

/** Credentials as the first example would have kept them. */
async function credentialsEnv(): Promise<Record<string, string>> {
  const { agent, credentials } = await HasheeAgent.pair({
    name: "Reader",
    manifest: MANIFEST,
    baseUrl: hub.url,
    onCode: () => {},
  });
  agent.disconnect();
  return {
    HASHEE_AGENT_ID: credentials.agentId,
    HASHEE_AGENT_TOKEN: credentials.token,
    HASHEE_CONVERSATION_ID: credentials.conversationId,
  };
}

it("the pairing example is added and exits", async () => {
  const stdout = await run("pair.ts");
  expect(stdout).toContain("add the agent that shows");
  expect(stdout).toContain("may use: filesystem:read");
});

it("the calling example prints the result and thanks the person", async () => {
  expect(await run("call-tool.ts", await credentialsEnv())).toBe("# Notes\n");
  await expect.poll(() => person.texts).toEqual(["I have read your notes. Thank you!"]);
});

it("the denial example says why it was not allowed", async () => {
  const env = { ...(await credentialsEnv()), NOTES_PATH: "/secret" };
  expect(await run("handle-denial.ts", env)).toBe("not allowed: user_refused\n");
});

it("no example is left out", async () => {
  const readme = await readFile(here("./README.md"), "utf8");
  expect(readme.match(/^```ts$/gm)).toHaveLength(EXAMPLES.length);
});
