import { afterEach, expect, it } from "vitest";
import { ManualTime } from "../../app/contract/testing/manual-time.ts";
import { scriptedE2b } from "../testing/scripted-e2b.ts";
import { e2bSandboxes } from "./e2b-sandboxes.ts";
import { SANDBOX_LIFE_MS, SANDBOXES_PER_KEY } from "./sandboxes.ts";

let e2b: Awaited<ReturnType<typeof scriptedE2b>>;
afterEach(() => e2b[Symbol.asyncDispose]());

const signal = () => new AbortController().signal;

it("E2B's own client makes a sandbox, runs in it, and removes it", async () => {
  e2b = await scriptedE2b({ stdout: "42\n", stderr: "", exitCode: 0 });
  const sandboxes = e2bSandboxes(e2b.connection);
  const { id } = await sandboxes.create("me");
  const heard: string[] = [];
  const onOutput = (text: string) => void heard.push(text);
  const output = await sandboxes.run("me", id, { command: "echo 42", signal: signal(), onOutput });
  expect(output).toEqual({ stdout: "42\n", stderr: "", exit_code: 0 });
  expect(heard).toEqual(["42\n"]);
  expect(e2b.commands).toEqual(["echo 42"]);
  await sandboxes.remove("me", id);
  expect(e2b.alive.size).toBe(0);
  expect(new Set(e2b.keys)).toEqual(new Set(["e2b_test"]));
}, 20_000);

it("a command's failure is an output", async () => {
  e2b = await scriptedE2b({ stdout: "", stderr: "no\n", exitCode: 3 });
  const sandboxes = e2bSandboxes(e2b.connection);
  const { id } = await sandboxes.create("me");
  expect(await sandboxes.run("me", id, { command: "false", signal: signal() })).toEqual({
    stdout: "",
    stderr: "no\n",
    exit_code: 3,
  });
}, 20_000);

it.each([
  ["goes on", null],
  ["has ended well", 0],
  ["has failed", 1],
])(
  "a command that wrote too much is given up, though it %s",
  async (_, exitCode) => {
    e2b = await scriptedE2b({ stdout: "x".repeat(256_000), stderr: "y".repeat(256_001), exitCode });
    const sandboxes = e2bSandboxes(e2b.connection);
    const { id } = await sandboxes.create("me");
    await expect(
      sandboxes.run("me", id, { command: "yes", signal: signal() }),
    ).rejects.toMatchObject({ code: "too_large" });
  },
  20_000,
);

it("a command is given up when its request ends", async () => {
  e2b = await scriptedE2b({ stdout: "begun", stderr: "", exitCode: null });
  const sandboxes = e2bSandboxes(e2b.connection);
  const { id } = await sandboxes.create("me");
  const stop = new AbortController();
  const onOutput = () => stop.abort();
  await expect(
    sandboxes.run("me", id, { command: "sleep 60", signal: stop.signal, onOutput }),
  ).rejects.toMatchObject({ code: "aborted" });
}, 20_000);

it("a sandbox that is not there, and one of another key, are unknown", async () => {
  e2b = await scriptedE2b({ stdout: "", stderr: "", exitCode: 0 });
  const sandboxes = e2bSandboxes(e2b.connection);
  const unknown = { code: "sandbox_unknown" };
  const order = { command: "true", signal: signal() };
  await expect(sandboxes.run("me", "none", order)).rejects.toMatchObject(unknown);
  const { id } = await sandboxes.create("me");
  await expect(sandboxes.run("other", id, order)).rejects.toMatchObject(unknown);
  await expect(sandboxes.remove("other", id)).rejects.toMatchObject(unknown);
}, 20_000);

it("a key may have ten, of which those that have expired since their last use no longer count", async () => {
  e2b = await scriptedE2b({ stdout: "", stderr: "", exitCode: 0 });
  const time = new ManualTime();
  const sandboxes = e2bSandboxes(e2b.connection, () => time.now());
  const tooMany = { code: "too_many_sandboxes" };
  const { id } = await sandboxes.create("me");
  for (let more = 1; more < SANDBOXES_PER_KEY; more += 1) await sandboxes.create("me");
  time.pass(SANDBOX_LIFE_MS - 1);
  await sandboxes.run("me", id, { command: "true", signal: signal() });
  await expect(sandboxes.create("me")).rejects.toMatchObject(tooMany);
  time.pass(1);
  const { expiresAt } = await sandboxes.create("me");
  expect(expiresAt.getTime()).toBe(time.now() + SANDBOX_LIFE_MS);
  for (let more = 2; more < SANDBOXES_PER_KEY; more += 1) await sandboxes.create("me");
  await expect(sandboxes.create("me")).rejects.toMatchObject(tooMany);
  await sandboxes.run("me", id, { command: "true", signal: signal() });
}, 20_000);

it("a key that asks for more than ten at once gets ten", async () => {
  e2b = await scriptedE2b({ stdout: "", stderr: "", exitCode: 0 });
  const sandboxes = e2bSandboxes(e2b.connection);
  const asked = Array.from({ length: SANDBOXES_PER_KEY + 1 }, () => sandboxes.create("me"));
  const refused = (await Promise.allSettled(asked)).filter(({ status }) => status === "rejected");
  expect(refused).toMatchObject([{ reason: { code: "too_many_sandboxes" } }]);
  expect(e2b.alive.size).toBe(SANDBOXES_PER_KEY);
}, 20_000);

it("a service that cannot be reached is unavailable, however often it is asked", async () => {
  e2b = await scriptedE2b({ stdout: "", stderr: "", exitCode: 0 });
  const sandboxes = e2bSandboxes({ ...e2b.connection, apiUrl: "http://127.0.0.1:1" });
  for (let asked = 0; asked <= SANDBOXES_PER_KEY; asked += 1) {
    await expect(sandboxes.create("me")).rejects.toMatchObject({ code: "sandbox_unavailable" });
  }
}, 20_000);
