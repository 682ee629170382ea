import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { denied, platformError } from "../../app/contract/codes.ts";
import {
  type ModelNotice,
  type ModelOrder,
  type ModelReport,
  NOT_ADDED_EXIT,
} from "../../app/contract/connected-model.ts";
import { type Hub, startHub } from "../../hub/index.ts";
import { testHubOptions } from "../../hub/testing/hub-options.ts";
import { createI18n } from "../../i18n/index.ts";
import { modelWords } from "../../main/client/agents/connected-model.ts";
import { PATIENT, ScriptedPerson } from "../../sdk/testing/scripted-person.ts";
import { type RecordedModel, recordedModel } from "../scripted-model/recorded-model.ts";

const KEY = "sk-of-the-person-7f3a";
const MAIN = fileURLToPath(new URL("../../dist/model-agent/main.js", import.meta.url));
const words = modelWords(createI18n("en").t);

let folder: string;
let hub: Hub;
let person: ScriptedPerson;
let model: RecordedModel;
const children: ChildProcess[] = [];

beforeAll(async () => {
  hub = await startHub(testHubOptions);
  person = new ScriptedPerson(hub, ({ arguments: { url } }) => {
    if (String(url).includes("unanswered")) return null;
    if (String(url).includes("other")) return denied("user_refused");
    if (String(url).includes("broken")) return platformError("network_error");
    return { status: "ok", result: { status_code: 200, body: "Example Domain" } };
  });
  await person.arrive();
  model = await recordedModel(({ user, key, results: [result] }) => {
    if (key !== KEY) return { status: 401 };
    if (user === "busy") return { status: 429 };
    if (user === "gone") return { status: 404 };
    if (result !== undefined) return { text: `I was told ${result.text}` };
    return user.startsWith("http")
      ? { text: "I will look.", calls: [{ name: "fetch_url", input: { url: user } }] }
      : { text: `You said ${user}` };
  });
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "model-agent-"));
  person.texts.length = 0;
});

afterEach(async () => {
  for (const child of children.splice(0)) await end(child);
  rmSync(folder, { recursive: true });
});

afterAll(async () => {
  await model[Symbol.asyncDispose]();
  await hub.close();
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill();
  await exited;
}

/** As the program starts it: the order goes over the line between the two. */
function start(change: Partial<ModelOrder> = {}) {
  const child = spawn(process.execPath, [MAIN], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  children.push(child);
  let printed = "";
  for (const output of [child.stdout, child.stderr]) {
    output?.on("data", (text) => {
      printed += text;
    });
  }
  const heard: ModelReport[] = [];
  const { promise: connected, resolve } = Promise.withResolvers<string>();
  child.on("message", (report: ModelReport) => {
    heard.push(report);
    if (report.event === "connected") resolve(report.conversation_id);
  });
  const order: ModelOrder = {
    hubUrl: hub.url,
    userId: hub.userId,
    folder,
    name: "AI model",
    provider: "openai_compatible",
    baseUrl: `${model.url}/v1`,
    model: "any",
    apiKey: KEY,
    words,
    ...change,
  };
  child.send(order);
  return { child, heard, connected, printed: () => printed };
}

const said = (text: string) => expect.poll(() => person.texts, PATIENT).toContain(text);

describe("the model's agent", () => {
  it("answers with the model's words, shown as they are written, and remembers what was said", async () => {
    const { connected, heard } = start();
    const conversation = await connected;
    await person.say(conversation, "Hello");
    await said("You said Hello");
    expect(person.shown.join("")).toContain("You said Hello");
    await person.say(conversation, "Again");
    await said("You said Again");
    const { messages } = model.bodies.at(-1) as { messages: { role: string; content: unknown }[] };
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(heard).toContainEqual({ event: "answered" });
  });

  it("forgets what the person deletes, and nothing else", async () => {
    const { child, connected } = start();
    const conversation = await connected;
    await person.say(conversation, "My secret is 4711");
    await said("You said My secret is 4711");
    child.send({ event: "history_deleted", conversation_id: "another" } satisfies ModelNotice);
    await person.say(conversation, "Once more");
    await said("You said Once more");
    expect(JSON.stringify(model.bodies.at(-1))).toContain("4711");
    child.send({ event: "history_deleted", conversation_id: conversation } satisfies ModelNotice);
    await person.say(conversation, "What do you know?");
    await said("You said What do you know?");
    expect(JSON.stringify(model.bodies.at(-1))).not.toContain("4711");
  });

  it("ends an answer to what the person deletes, with the call that it waits for", async () => {
    const { child, connected } = start();
    const conversation = await connected;
    await person.say(conversation, "https://unanswered.com");
    await expect.poll(() => person.calls.at(-1)?.arguments.url, PATIENT).toContain("unanswered");
    child.send({ event: "history_deleted", conversation_id: conversation } satisfies ModelNotice);
    await person.say(conversation, "Hello");
    await said("You said Hello");
    expect(JSON.stringify(model.bodies.at(-1))).not.toContain("unanswered");
  });

  it("calls tools through the person, and tells the model what a denial means", async () => {
    const { connected } = start();
    const conversation = await connected;
    await person.say(conversation, "https://example.com");
    await said('I was told {"status_code":200,"body":"Example Domain"}');
    expect(person.texts).toContain("I will look.");
    await person.say(conversation, "https://other.com");
    await expect.poll(() => person.texts.at(-1), PATIENT).toContain("user_refused: ");
  });

  it("comes back as the agent that was added, and asks again when it was not", async () => {
    const first = start();
    const conversation = await first.connected;
    expect(first.heard.map(({ event }) => event)).toContain("code");
    await end(first.child);
    const second = start();
    expect(await second.connected).toBe(conversation);
    expect(second.heard.map(({ event }) => event)).not.toContain("code");
    await person.say(conversation, "Still there?");
    await said("You said Still there?");
    expect(person.texts).not.toContain(words.phrases.restarted);
  });

  it("says, once, that it has forgotten what was said before it was started", async () => {
    const first = start();
    const conversation = await first.connected;
    await person.say(conversation, "Before");
    await said("You said Before");
    await person.say(conversation, "Before too");
    await said("You said Before too");
    expect(person.texts).not.toContain(words.phrases.restarted);
    await end(first.child);
    await start().connected;
    await person.say(conversation, "After");
    await said("You said After");
    await person.say(conversation, "Again");
    await said("You said Again");
    // The last message before the end may be answered again.
    expect(person.texts.filter((text) => !text.includes("Before"))).toEqual([
      words.phrases.restarted,
      "You said After",
      "You said Again",
    ]);
  });

  it("has the key over its line alone: not in its arguments, environment, files or output", async () => {
    const { child, connected, printed } = start();
    const conversation = await connected;
    await person.say(conversation, "Hello");
    await said("You said Hello");
    expect(model.asked.at(-1)?.key).toBe(KEY);
    expect(child.spawnargs.join(" ")).not.toContain(KEY);
    if (process.platform === "linux") {
      for (const about of ["cmdline", "environ"]) {
        expect(readFileSync(`/proc/${child.pid}/${about}`, "utf8")).not.toContain(KEY);
      }
    }
    for (const file of ["agent.json", "keys"]) {
      expect(readFileSync(join(folder, file)).includes(KEY)).toBe(false);
    }
    expect(printed()).toBe("");
  });

  it.each([
    ["a wrong key", { apiKey: "sk-wrong" }, "Hello", "key_refused"],
    ["a model that the provider does not have", {}, "gone", "model_unknown"],
    ["a quota that is used up", {}, "busy", "quota"],
  ] as const)("says in the conversation what is wrong: %s", async (_, change, text, fault) => {
    const { connected, heard } = start(change);
    await person.say(await connected, text);
    await said(words.faults[fault]);
    expect(heard).toContainEqual({ event: "fault", fault });
  });

  it("goes on in the language that the person changes to", async () => {
    const { child, connected } = start({ apiKey: "sk-wrong" });
    const conversation = await connected;
    const german = modelWords(createI18n("de").t);
    child.send({ event: "words", words: german } satisfies ModelNotice);
    await person.say(conversation, "Hallo");
    await said(german.faults.key_refused);
  });

  it("says that nobody can be reached, and answers once somebody is", async () => {
    const nobody = createServer().listen(0, "127.0.0.1");
    await once(nobody, "listening");
    const { port } = nobody.address() as { port: number };
    nobody.close();
    const { connected } = start({ baseUrl: `http://127.0.0.1:${port}/v1` });
    await person.say(await connected, "Hello");
    await said(words.faults.unreachable);
  });

  it("ends when the person removes it, and asks to be added again when it is started again", async () => {
    const { child, connected } = start();
    const conversation = await connected;
    const exited = once(child, "exit");
    await person.removeAgent(conversation);
    expect(await exited).toEqual([NOT_ADDED_EXIT, null]);
    const again = start();
    expect(await again.connected).not.toBe(conversation);
    expect(again.heard.map(({ event }) => event)).toContain("code");
  });

  it("ends when the program that started it is gone", async () => {
    const { child, connected } = start();
    await connected;
    const exited = once(child, "exit");
    child.disconnect();
    expect(await exited).toEqual([0, null]);
  });
});

describe("a model's agent that the person has not answered", () => {
  it.each([
    ["is stopped", (child: ChildProcess) => child.kill()],
    ["loses the program that started it", (child: ChildProcess) => child.disconnect()],
  ])("leaves no request to be added when it %s", async (_, stop) => {
    await using held = new AsyncDisposableStack();
    const own = await startHub(testHubOptions);
    held.defer(() => own.close());
    const undecided = new ScriptedPerson(own, () => null, false);
    await undecided.arrive();
    const { child, heard } = start({ hubUrl: own.url, userId: own.userId });
    await expect.poll(() => heard.map(({ event }) => event), PATIENT).toEqual(["code"]);
    const exited = once(child, "exit");
    stop(child);
    expect(await exited).toEqual([0, null]);
    await expect.poll(() => undecided.closedPairings, PATIENT).toEqual(["withdrawn"]);
  });
});

describe("the demonstration", () => {
  it("needs no key: it asks to fetch, says what came, and what it does after a denial", async () => {
    const { connected } = start({ provider: "demonstration", baseUrl: null, apiKey: null });
    const conversation = await connected;
    await person.say(conversation, "Hello");
    await said(words.phrases.demo_hello);
    await person.say(conversation, "What does https://example.com say?");
    await said(`${words.phrases.demo_fetched}\n\nExample Domain`);
    await person.say(conversation, "And https://other.com");
    await said(words.phrases.demo_denied);
    await person.say(conversation, "And https://broken.com");
    await said("That did not work: Network error");
  });
});
