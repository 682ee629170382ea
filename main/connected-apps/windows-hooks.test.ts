import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { AppId, AppPart } from "../../app/bridge/connected-apps.ts";
import { scratchFolder } from "../testing/scratch-folder.ts";
import { AppConnections, type AppPrograms, commandOf } from "./app-connections.ts";
import type { AppPlaces } from "./app-edit.ts";
import { KNOWN_APPS } from "./known-apps.ts";
import { npxCommand } from "./npx-command.ts";

const MINE = '{\n  "mine": true\n}\n';
const WITH_NPX: AppPrograms = { ownCommand: (folder, part) => npxCommand("win32", folder, part) };
const WITH_NODE: AppPrograms = {
  node: "C:\\node\\node.exe",
  mcp: new URL("file:///checkout/mcp.mjs"),
  hook: new URL("file:///checkout/hook.mjs"),
};

let places: AppPlaces;
let apps: AppConnections;
beforeEach(() => {
  places = { platform: "win32", home: scratchFolder(), env: {} };
});

function startedBy(programs: AppPrograms, dataDir: string): void {
  apps = new AppConnections({
    dataDir: scratchFolder(),
    places,
    command(part: AppPart, id: AppId) {
      const { command, args } = commandOf(programs, part, id, dataDir);
      return { command, args: args.map((word) => word.replace("/checkout/", "C:\\checkout\\")) };
    },
  });
}

/** The file of an installed app's hooks, with this text. */
function hooksOf(id: AppId, text: string): string {
  const [sign = ""] = KNOWN_APPS[id].signs(places).slice(-1);
  const file = KNOWN_APPS[id].hook?.file(places) ?? "";
  for (const folder of [sign, dirname(file)]) mkdirSync(folder, { recursive: true });
  writeFileSync(file, text);
  return file;
}

function make(app_id: AppId, connect: boolean): void {
  const wanted = { app_id, part: "hook", connect } as const;
  apps.apply(wanted, apps.change(wanted).digest);
}

const viewOf = (id: AppId) => apps.list().find(({ app_id }) => app_id === id);
const commandIn = (file: string, list: string): string =>
  JSON.parse(readFileSync(file, "utf8")).hooks[list][0].hooks[0].command;

describe("a hook on Windows", () => {
  it.each([
    ["claude-code", "PreToolUse"],
    ["codex", "PreToolUse"],
    ["gemini", "BeforeTool"],
    ["goose", "PreToolUse"],
  ] as const)("of %s is words that PowerShell, Git Bash and cmd take alike", (id, list) => {
    startedBy(WITH_NPX, "C:\\Users\\Jörg\\Data");
    const file = hooksOf(id, MINE);
    make(id, true);
    const folder = "C:/Users/Jörg/Data";
    expect(commandIn(file, list)).toBe(
      `npx.cmd --prefix ${folder} --yes --package=@consentry/agent-sdk consentry hook ${id} --limit 280 --data-dir ${folder}`,
    );
    expect(viewOf(id)?.hook?.state).toBe("connected");
    make(id, false);
    expect(readFileSync(file, "utf8")).toBe(MINE);
  });

  it("starts our file in a checkout the same way", () => {
    startedBy(WITH_NODE, "C:\\data");
    const file = hooksOf("codex", MINE);
    make("codex", true);
    expect(commandIn(file, "PreToolUse")).toBe(
      "C:/node/node.exe C:/checkout/hook.mjs codex --limit 280 --data-dir C:/data",
    );
    expect(viewOf("codex")?.hook?.state).toBe("connected");
  });

  it.each([
    "C:\\My data",
    "C:\\R&D",
    "C:\\$x",
    "C:\\%x%",
    "C:\\o'hara",
    "C:\\a,b",
    "C:\\a(b)",
    "\\\\server\\data",
  ])("is not offered where a path would need quotes, and the tools are: %s", (dataDir) => {
    startedBy(WITH_NPX, dataDir);
    const file = hooksOf("gemini", MINE);
    expect(viewOf("gemini")).toMatchObject({
      tools: { state: "not_connected" },
      hook: { state: "path_unusable" },
    });
    expect(() => make("gemini", true)).toThrow("path_unusable");
    expect(readFileSync(file, "utf8")).toBe(MINE);
  });

  it.each([
    '"cmd" "/c" "npx" "--prefix" "C:\\My data" "--package=@consentry/agent-sdk" "consentry" "hook" "gemini"',
    '"C:\\Program Files\\node.exe" "C:\\checkout\\hook.mjs" "gemini" "--limit" "280"',
  ])("that an earlier version entered with quotes can only be taken out: %s", (command) => {
    startedBy(WITH_NPX, "C:\\My data");
    const item = { matcher: "write_file", hooks: [{ type: "command", command }] };
    const file = hooksOf("gemini", JSON.stringify({ hooks: { BeforeTool: [item] } }));
    expect(viewOf("gemini")?.hook?.state).toBe("not_renewable");
    expect(() => make("gemini", true)).toThrow("path_unusable");
    make("gemini", false);
    expect(readFileSync(file, "utf8")).not.toContain("gemini");
    expect(viewOf("gemini")?.hook?.state).toBe("path_unusable");
  });

  it("that an earlier version entered with quotes is taken out when everything is", () => {
    startedBy(WITH_NPX, "C:\\My data");
    const item = { hooks: [{ type: "command", command: '"consentry" "hook" "gemini"' }] };
    const file = hooksOf("gemini", JSON.stringify({ hooks: { BeforeTool: [item] } }));
    apps.disconnectAll();
    expect(readFileSync(file, "utf8")).not.toContain("gemini");
  });
});
