import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { commandOf } from "./app-connections.ts";
import { npxCommand } from "./npx-command.ts";
import { AppComputer } from "./testing/app-computer.ts";

const computer = AppComputer.forEachTest();

describe("what an app is told to start", () => {
  it.each([
    [
      "the installed program",
      { ownCommand: () => ["/opt/consentry"] as const },
      "/opt/consentry",
      ["mcp"],
    ],
    [
      "the SDK's command",
      { ownCommand: (folder: string) => npxCommand("linux", folder, "tools") },
      "npx",
      ["--prefix", "/data", "--yes", "--package=@consentry/agent-sdk", "consentry", "mcp"],
    ],
    [
      "the SDK's command, on Windows through its shell",
      { ownCommand: (folder: string) => npxCommand("win32", folder, "tools") },
      "cmd",
      [
        "/c",
        "npx",
        "--prefix",
        "/data",
        "--yes",
        "--package=@consentry/agent-sdk",
        "consentry",
        "mcp",
      ],
    ],
    [
      "our file in a checkout",
      { node: "/opt/node", mcp: new URL("file:///o/mcp.mjs"), hook: new URL("file:///o/hook.mjs") },
      "/opt/node",
      ["/o/mcp.mjs"],
    ],
  ] as const)("is %s", (_what, programs, program, args) => {
    expect(commandOf(programs, "tools", "codex", "/data")).toEqual({
      command: program,
      args: [...args, "--data-dir", "/data"],
    });
  });

  it("names the agent whose hook it is, and how long that waits", () => {
    expect(
      commandOf({ ownCommand: () => ["/opt/consentry"] as const }, "hook", "codex", "/data"),
    ).toEqual({
      command: "/opt/consentry",
      args: ["hook", "codex", "--limit", "280", "--data-dir", "/data"],
    });
  });

  it.each([
    "/opt/Consentry-1.0.0.AppImage",
    "/Applications/Consentry.app/Contents/MacOS/consentry",
  ])("is known again, and taken out, as %s", (program) => {
    const file = computer.install("codex", undefined, "hook");
    computer.apps = computer.consentry("data", (part, id) =>
      commandOf({ ownCommand: () => [program] }, part, id, "/data"),
    );
    computer.make("codex", true, "hook");
    expect(computer.stateOf("codex", "hook")).toBe("connected");
    // Something else was changed since, so that only our entry goes.
    writeFileSync(file, readFileSync(file, "utf8").replace("{", '{ "mine": 1,'));
    computer.make("codex", false, "hook");
    expect(existsSync(file) ? readFileSync(file, "utf8") : "").not.toContain("onsentry");
  });
});
