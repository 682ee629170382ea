import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));

async function run(command: string, ...flags: string[]) {
  const [, script = ""] = /^node (\S+)$/.exec(scripts[command]) ?? [];
  const child = spawn(process.execPath, [script, ...flags], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  return { said: `${stdout}${stderr}`, code: child.exitCode };
}

/** Refused flags of these are in tests of their own. */
const ownReaders = ["audit", "hub", "connect", "agent-host", "sample-agent"];
const readers = ["own-data", "mcpb", "sign-feed", "dist", "durability", "conformance"];

it.concurrent.each([...ownReaders, ...readers])(
  "npm run %s -- --help says how it is called",
  async (command) => {
    const { said, code } = await run(command, "--help");
    expect(said).toMatch(/ --[a-z]|\[--| -- FILE/);
    expect(said).not.toMatch(/^ {4}at |Unknown option/m);
    expect(code).toBe(0);
  },
);

it.concurrent.each(readers)(
  "npm run %s refuses a flag that it does not take, in words",
  async (command) => {
    const { said, code } = await run(command, "--nonsense");
    expect(said).toMatch(/--nonsense|^usage/im);
    expect(said).not.toMatch(/^ {4}at /m);
    expect([1, 2]).toContain(code);
  },
);

it("npm run mcp -- --help says how it is called", async () => {
  const { said, code } = await run("mcp", "--help");
  expect(said).toContain("--permission-prompt");
  expect(code).toBe(0);
});

it("npm run hook -- --help does so too, and is a no for an agent that was set up with it", async () => {
  const { said, code } = await run("hook", "--help");
  expect(said).toContain("AGENT is one of");
  expect(code).toBe(2);
});

it.concurrent.each([["mcp"], ["hook", "codex"], ["connect", "codex"]] as const)(
  "npm run %s refuses an empty --data-dir, as of an unset variable",
  async (command, ...words) => {
    const { said, code } = await run(command, ...words, "--data-dir=");
    expect(said).toBe("--data-dir takes the path of a folder\n");
    expect(code).toBe(2);
  },
);

it("npm run mcp ends in order where standard input is a file or nothing", async () => {
  const { said, code } = await run("mcp", "--no-start");
  expect(said).toBe("");
  expect(code).toBe(0);
});
