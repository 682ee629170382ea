import { afterEach, expect, it } from "vitest";
import { scriptedE2b } from "../testing/scripted-e2b.ts";
import { e2bSandboxes } from "./e2b-sandboxes.ts";

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

it("a service that cannot be reached is unavailable", async () => {
  e2b = await scriptedE2b({ stdout: "", stderr: "", exitCode: 0 });
  const sandboxes = e2bSandboxes({ ...e2b.connection, apiUrl: "http://127.0.0.1:1" });
  await expect(sandboxes.create("me")).rejects.toMatchObject({ code: "sandbox_unavailable" });
}, 20_000);
