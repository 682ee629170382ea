import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { scriptedModel } from "../agent-host/scripted-model/scripted-model.ts";
import { readBlocks } from "../app/contract/artifacts/block.ts";
import { denied } from "../app/contract/codes.ts";
import { webmRecording } from "../app/contract/testing/recordings.ts";
import { voiceOf } from "../app/protocol/v1/voice-messages.ts";
import { AgentCredentialsFile } from "../runtime/files/agent-files.ts";
import { readCredentials } from "./credentials.ts";
import { manifestFor, type PairOptions } from "./index.ts";
import { agentAtHome, homeEnv } from "./testing/keys-at-home.ts";
import { LivedInHub } from "./testing/lived-in-hub.ts";
import { PATIENT, type ScriptedPerson } from "./testing/scripted-person.ts";
import { WEB_MANIFEST } from "./testing/web-manifest.ts";

// Each test starts a program, which takes a busy machine many seconds.
vi.setConfig({ testTimeout: 120_000 });

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const EXAMPLES = [
  "pair.ts",
  "call-tool.ts",
  "handle-denial.ts",
  "cancel-call.ts",
  "parallel-calls.ts",
  "stream.ts",
  "artifact.ts",
  "voice.ts",
  "group.ts",
  "webhook-agent.ts",
  "model-agent.ts",
];

const hub = new LivedInHub();
let folder: string;
let person: ScriptedPerson;
/** What the first example printed; the others find what it stored. */
let paired: string;

/** A project of somebody else's: the examples, and the package where an installer puts it. */
beforeAll(async () => {
  await hub.start();
  person = await hub.arrived(({ arguments: { path, url } }) =>
    path === "/secret" || url === "https://secret.example/"
      ? denied("user_refused")
      : { status: "ok", result: { content: "# Notes" } },
  );
  folder = await mkdtemp(join(tmpdir(), "sdk-examples-"));
  const installed = join(folder, "node_modules/@consentry/agent-sdk");
  await mkdir(installed, { recursive: true });
  await copyFile(here("./package.json"), join(installed, "package.json"));
  const source = new URL("./index.ts", import.meta.url).href;
  await writeFile(join(installed, "index.js"), `export * from ${JSON.stringify(source)};\n`);
  const models = new URL("./models/index.ts", import.meta.url).href;
  await writeFile(join(installed, "models.js"), `export * from ${JSON.stringify(models)};\n`);
  await mkdir(join(folder, "node_modules/@anthropic-ai"));
  const client = "node_modules/@anthropic-ai/sdk";
  await symlink(here(`../${client}`), join(folder, client), "junction");
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  for (const name of EXAMPLES) await copyFile(here(`./examples/${name}`), join(folder, name));
  paired = await run("pair.ts");
});

afterAll(async () => {
  await hub.end();
  await rm(folder, { recursive: true });
});

const environment = (env: Readonly<Record<string, string>>) => ({
  ...process.env,
  ...homeEnv(folder),
  HASHEE_BASE_URL: hub.url,
  ...env,
});

async function run(example: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const options = { cwd: folder, env: environment(env) };
  const { stdout } = await promisify(execFile)(process.execPath, [example], options);
  return stdout;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Another agent than the first example's, as a first start would have left it. */
async function startedBefore(name: string, over: Partial<PairOptions>): Promise<string> {
  const { agent, credentials, keyStore } = await hub.pair(over);
  agent.disconnect();
  const { connectionMode = "websocket" } = over;
  const stored = { ...credentials, baseUrl: hub.url, connectionMode };
  await agentAtHome(name, { credentials: stored, keyStore }, folder);
  return credentials.conversationId;
}

it("the pairing example is added and exits", async () => {
  expect(paired).toContain("add the agent that shows");
  expect(paired).toContain("may use: filesystem:read");
});

it("the pairing example, run again, asks nobody and keeps what it stored", async () => {
  const { path } = new AgentCredentialsFile("Reader", folder);
  const before = await readFile(path, "utf8");
  await expect(run("pair.ts")).rejects.toMatchObject({
    stdout: "",
    stderr: expect.stringContaining(`credentials_exist: ${path}`),
  });
  expect(await readFile(path, "utf8")).toBe(before);
});

it("the calling example prints the result and thanks the person", async () => {
  expect(await run("call-tool.ts")).toBe("# Notes\n");
  await expect.poll(() => person.texts, PATIENT).toEqual(["I have read your notes. Thank you!"]);
});

it("the denial example says why it was not allowed", async () => {
  expect(await run("handle-denial.ts", { NOTES_PATH: "/secret" })).toBe(
    "not allowed: user_refused\n",
  );
});

it("the cancelling example cancels its call", async () => {
  expect(await run("cancel-call.ts")).toBe("given up: read_file\n");
});

it("the parallel example reports each call on its own", async () => {
  expect(await run("parallel-calls.ts", { NOTES_PATHS: "/one,/secret,/three" })).toBe(
    "/one: # Notes\n/secret: denied: user_refused\n/three: # Notes\n",
  );
});

it("the streaming example stores the whole text", async () => {
  const before = person.texts.length;
  expect(await run("stream.ts")).toMatch(/^stored as number \d+\n$/);
  await expect.poll(() => person.texts.slice(before), PATIENT).toEqual(["Working on it."]);
});

it("the artifact example sends a form, and shows in it what was ordered", async () => {
  person.answersArtifacts = { ref_action: "order", values: { dish: "soup", dessert: true } };
  expect(await run("artifact.ts")).toBe("ordered: soup\n");
  const [form, update] = person.artifacts;
  expect(form?.kind === "artifact" && readBlocks(form.state.blocks)).toMatchObject([
    { tag: "status" },
    { tag: "select" },
    { tag: "checkbox" },
    { tag: "action" },
    { tag: "action" },
  ]);
  expect(update).toMatchObject({
    kind: "update",
    change: { revision: 1, updates: { state: { text: "Ordered: soup" } } },
  });
});

it("the voice example hears what the person says, and says it back", async () => {
  const manifest = { ...WEB_MANIFEST, capability_flags: { supports_voice: true } };
  const home = await startedBefore("Voice reader", { manifest });
  const voice = voiceOf(webmRecording(), 1.5);
  if ("fault" in voice) throw new Error(voice.fault);
  await person.speak(home, voice);
  expect(await run("voice.ts")).toBe("heard 1.5 s of audio/webm\n");
  await expect.poll(() => person.voices, PATIENT).toEqual([{ ...voice, transcript: "You said:" }]);
});

it("the group example makes a group, reads what is said there, and leaves", async () => {
  person.answersTexts = true;
  try {
    expect((await run("group.ts")).split("\n").toSorted()).toEqual([
      "",
      "Release 7, number 2",
      "Release 7: created",
      "Release 7: members_removed",
    ]);
  } finally {
    person.answersTexts = false;
  }
  const { agentId } = readCredentials(new AgentCredentialsFile("Reader", folder));
  expect(person.marks).toContainEqual([agentId, 2]);
});

/** Runs an example that serves until it is asked to stop, which it is after `meanwhile`. */
async function serving(example: string, env: Record<string, string>, meanwhile: () => unknown) {
  const program = spawn(process.execPath, [example], {
    cwd: folder,
    env: environment(env),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(program, "exit");
  try {
    await once(program.stdout, "data");
    await meanwhile();
    program.kill("SIGTERM");
    expect((await exited)[0]).toBe(0);
  } finally {
    program.kill("SIGKILL");
  }
}

it("the webhook example answers what the hub posts to it, and stops on request", async () => {
  const home = await startedBefore("Webhook reader", { connectionMode: "webhook" });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const before = person.texts.length;
  await serving("webhook-agent.ts", { WEBHOOK_URL: url, PORT: `${port}` }, async () => {
    await person.say(home, "hello");
    await expect.poll(() => person.texts.slice(before), PATIENT).toEqual(["You wrote: hello"]);
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(401);
  });
});

it("the model's example answers with what the page says, and accepts a denial", async () => {
  await using model = await scriptedModel(({ user, results: [result] }) =>
    result === undefined
      ? { calls: [{ name: "fetch_url", input: { url: user } }] }
      : { text: `I read: ${/# Notes|user_refused/.exec(result.text)}` },
  );
  const manifest = manifestFor(["fetch_url"], { name: "Web reader", version: "1.0.0" });
  const home = await startedBefore("Web reader", { manifest });
  const access = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "none" };
  const before = person.texts.length;
  await serving("model-agent.ts", access, async () => {
    const said = () => person.texts.slice(before);
    await person.say(home, "https://example.com/");
    await expect.poll(said, PATIENT).toEqual(["I read: # Notes"]);
    await person.say(home, "https://secret.example/");
    await expect.poll(said, PATIENT).toEqual(["I read: # Notes", "I read: user_refused"]);
  });
});

it("no example is left out", async () => {
  const readme = await readFile(here("./README.md"), "utf8");
  const linked = [...readme.matchAll(/\]\(examples\/([\w-]+\.ts)\)/g)].map(([, name]) => name);
  const shown = EXAMPLES.filter((name) =>
    readme.includes(readFileSync(here(`./examples/${name}`), "utf8")),
  );
  expect([...shown, ...linked].toSorted()).toEqual(EXAMPLES.toSorted());
});
