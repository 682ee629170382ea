import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { APP_IDS, APP_PARTS, type AppId, type AppPart } from "../../app/bridge/app-views.ts";
import { AppConnections, commandOf } from "./app-connections.ts";
import { KNOWN_APPS } from "./known-apps.ts";
import { npxCommand } from "./npx-command.ts";

const command = (part: AppPart, id: AppId) => ({
  command: "/opt/node",
  args: [...(part === "tools" ? ["/opt/mcp.mjs"] : ["/opt/hook.mjs", id]), "--data-dir", "/data"],
});
const OTHERS: Readonly<Record<string, string>> = {
  json: '{\n  // mine\n  "theme": "dark"\n}\n',
  toml: 'model = "m" # mine\n',
  yaml: "GOOSE_MODEL: m # mine\n",
};

let home: string;
let apps: AppConnections;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "consentry-apps-"));
  apps = connections("data");
});
afterEach(() => rmSync(home, { recursive: true }));

function connections(folder: string): AppConnections {
  const dataDir = join(home, folder);
  mkdirSync(dataDir);
  return new AppConnections({ dataDir, places: placesOf(), command });
}

const placesOf = () => ({ platform: "linux", home, env: {} }) as const;
const editOf = (id: AppId, part: AppPart) => {
  const edit = KNOWN_APPS[id][part];
  if (edit === undefined) throw new Error(`${id} has no ${part}`);
  return edit;
};
const fileOf = (id: AppId, part: AppPart = "tools") => editOf(id, part).file(placesOf());

function install(id: AppId, text?: string, part: AppPart = "tools"): string {
  const file = fileOf(id, part);
  for (const sign of KNOWN_APPS[id].signs(placesOf()).slice(-1))
    mkdirSync(sign, { recursive: true });
  mkdirSync(dirname(file), { recursive: true });
  if (text !== undefined) writeFileSync(file, text);
  return file;
}

function make(app_id: AppId, connect = true, part: AppPart = "tools"): void {
  const wanted = { app_id, part, connect };
  apps.apply(wanted, apps.change(wanted).digest);
}

const stateOf = (id: AppId, part: AppPart = "tools") =>
  apps.list().find(({ app_id }) => app_id === id)?.[part]?.state;

it("lists the apps that are installed, and no others", () => {
  expect(apps.list()).toEqual([]);
  install("cursor");
  expect(apps.list()).toEqual([
    {
      app_id: "cursor",
      name: "Cursor",
      tools: { file: fileOf("cursor"), state: "not_connected" },
      hook: { file: fileOf("cursor", "hook"), state: "not_connected", fails_closed: true },
    },
  ]);
});

const ALL = APP_IDS.flatMap((id) =>
  APP_PARTS.filter((part) => KNOWN_APPS[id][part] !== undefined).map((part) => [id, part] as const),
);

describe.each(ALL)("%s, %s", (id, part) => {
  const edit = editOf(id, part);
  const other = OTHERS[edit.format] ?? "";
  const found = (text: string) => edit.found(text);

  it("gets our entry beside its own settings, and its file back as it was", () => {
    const file = install(id, other, part);
    chmodSync(file, 0o640);
    make(id, true, part);
    const written = readFileSync(file, "utf8");
    expect(written).toContain("mine");
    expect(found(written)).toEqual(edit.wanted(command(part, id), "linux"));
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readFileSync(`${file}.before-consentry`, "utf8")).toBe(other);
    expect(stateOf(id, part)).toBe("connected");
    make(id, false, part);
    expect(readFileSync(file, "utf8")).toBe(other);
    expect(stateOf(id, part)).toBe("not_connected");
  });

  it("keeps what was written later when our entry is taken out", () => {
    const file = install(id, other, part);
    make(id, true, part);
    writeFileSync(file, readFileSync(file, "utf8").replace("mine", "mine, later"));
    make(id, false, part);
    const left = readFileSync(file, "utf8");
    expect(left).toContain("mine, later");
    expect(found(left)).toBeUndefined();
  });

  it("gets a file if it has none, which goes again with our entry", () => {
    const file = install(id, undefined, part);
    make(id, true, part);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8").startsWith(edit.seed.trimEnd().slice(0, -2))).toBe(true);
    make(id, false, part);
    expect(existsSync(file)).toBe(false);
  });
});

it("tools and hook in one file come and go without each other", () => {
  const file = install("gemini", OTHERS.json);
  make("gemini");
  make("gemini", true, "hook");
  make("gemini", false);
  expect([stateOf("gemini"), stateOf("gemini", "hook")]).toEqual(["not_connected", "connected"]);
  make("gemini", false, "hook");
  expect(readFileSync(file, "utf8")).not.toContain("/opt");
});

const ORDERS = [
  ["tools", "hook"],
  ["hook", "tools"],
] as const;
it.each(ORDERS.flatMap((entered) => ORDERS.map((taken) => [entered, taken] as const)))(
  "%j entered and %j taken out leave a file with both as it was",
  (entered, taken) => {
    for (const original of ['{"theme":"Dark"}', "", undefined]) {
      rmSync(fileOf("gemini"), { force: true });
      const file = install("gemini", original);
      for (const part of entered) make("gemini", true, part);
      if (original !== undefined) {
        expect(readFileSync(`${file}.before-consentry`, "utf8")).toBe(original);
      }
      for (const part of taken) make("gemini", false, part);
      expect(existsSync(file) ? readFileSync(file, "utf8") : undefined).toBe(original);
    }
  },
);

it("a program with another data folder does not replace the file of before", () => {
  const file = install("cursor", OTHERS.json);
  make("cursor");
  apps = connections("another");
  make("cursor");
  expect(readFileSync(`${file}.before-consentry`, "utf8")).toBe(OTHERS.json);
  make("cursor", false);
  expect(readFileSync(file, "utf8")).toContain("mine");
  expect(stateOf("cursor")).toBe("not_connected");
});

it("what was changed between two entries of ours stays when both are taken out", () => {
  for (const taken of ORDERS) {
    const file = install("gemini", OTHERS.json);
    make("gemini");
    writeFileSync(file, readFileSync(file, "utf8").replace("mine", "mine, later"));
    make("gemini", true, "hook");
    for (const part of taken) make("gemini", false, part);
    expect(readFileSync(file, "utf8")).toContain("mine, later");
    expect(readFileSync(file, "utf8")).not.toContain("/opt");
  }
});

it("the lines of a file from Windows are shown without their carriage returns", () => {
  install("cursor", '{\r\n  "theme": "Dark"\r\n}\r\n');
  const { hunks } = apps.change({ app_id: "cursor", part: "tools", connect: true });
  expect(JSON.stringify(hunks)).not.toContain("\\r");
});

it("nothing of ours comes back with the file of before, which a later change of ours replaced", () => {
  const file = install("gemini", OTHERS.json);
  make("gemini");
  make("gemini", true, "hook");
  make("gemini", false, "hook");
  make("gemini", false);
  expect(stateOf("gemini")).toBe("not_connected");
  expect(readFileSync(file, "utf8")).toContain("mine");
});

it("an entry connected again, to start the program where it is now, goes with one change", () => {
  const file = install("cursor", OTHERS.json);
  const elsewhere = { command: "/old/node", args: ["/opt/mcp.mjs"] };
  const dataDir = join(home, "data");
  const before = new AppConnections({ dataDir, places: placesOf(), command: () => elsewhere });
  const wanted = { app_id: "cursor", part: "tools", connect: true } as const;
  before.apply(wanted, before.change(wanted).digest);
  expect(stateOf("cursor")).toBe("changed");
  make("cursor");
  make("cursor");
  make("cursor", false);
  expect(stateOf("cursor")).toBe("not_connected");
  expect(readFileSync(file, "utf8")).toContain("mine");
});

it.each(["~/bin/my-hook.sh codex", "node ~/git-hook.mjs codex", "~/hook.py codex"])(
  "a hook of the person's own stays beside ours: %s",
  (command) => {
    const theirs = { matcher: "Bash", hooks: [{ type: "command", command }] };
    const file = install("codex", JSON.stringify({ hooks: { PreToolUse: [theirs] } }), "hook");
    expect(stateOf("codex", "hook")).toBe("not_connected");
    make("codex", true, "hook");
    make("codex", true, "hook");
    expect(readFileSync(file, "utf8").split(command)).toHaveLength(2);
    expect(readFileSync(file, "utf8").split("/opt/hook.mjs")).toHaveLength(3);
  },
);

describe("what others do to the file", () => {
  it("is seen: the entry removed, changed, or the file no longer readable", () => {
    const file = install("cursor", "{}\n");
    make("cursor");
    const written = readFileSync(file, "utf8");
    writeFileSync(file, written.replace("/data", "/elsewhere"));
    expect(stateOf("cursor")).toBe("changed");
    writeFileSync(file, "{}\n");
    expect(stateOf("cursor")).toBe("removed");
    writeFileSync(file, "{ half");
    expect(stateOf("cursor")).toBe("unreadable");
  });

  it("after the person looked at the change makes it a different one, which is refused", () => {
    const file = install("cursor", "{}\n");
    const wanted = { app_id: "cursor", part: "tools", connect: true } as const;
    const { digest } = apps.change(wanted);
    writeFileSync(file, '{ "mine": 1 }\n');
    expect(() => apps.apply(wanted, digest)).toThrow("config_changed");
    expect(readFileSync(file, "utf8")).toBe('{ "mine": 1 }\n');
  });
});

describe("taking out everything of ours", () => {
  const parts = [
    ["cursor", "tools"],
    ["gemini", "tools"],
    ["gemini", "hook"],
  ] as const;
  const connectAll = () => {
    install("cursor", OTHERS.json);
    install("gemini", OTHERS.json);
    for (const [id, part] of parts) make(id, true, part);
  };
  const states = () => parts.map(([id, part]) => stateOf(id, part));

  it("leaves alone the files of apps that were never connected, also one that cannot be read", () => {
    connectAll();
    const theirs = install("windsurf", "{ half");
    apps.disconnectAll();
    expect(states()).toEqual(["not_connected", "not_connected", "not_connected"]);
    expect(readFileSync(theirs, "utf8")).toBe("{ half");
  });

  it("takes nothing out while an entry stands in a file that cannot be read", () => {
    connectAll();
    const broken = install("windsurf", "{}");
    make("windsurf");
    writeFileSync(broken, "{ half");
    expect(() => apps.disconnectAll()).toThrow("config_unreadable");
    expect(states()).toEqual(["connected", "connected", "connected"]);
  });

  it("takes out the others when one file cannot be written, and says so", () => {
    connectAll();
    const file = fileOf("cursor");
    // No longer name fits beside it, so the new text cannot be written there.
    const kept = join(home, `${"long".repeat(62)}.json`);
    renameSync(file, kept);
    symlinkSync(kept, file);
    expect(() => apps.disconnectAll()).toThrow("file_unwritable");
    expect(states()).toEqual(["connected", "not_connected", "not_connected"]);
  });
});

it("writes through a link to the file that the person keeps elsewhere", () => {
  const file = install("cursor");
  const kept = join(home, "dotfiles.json");
  writeFileSync(kept, "{}\n");
  symlinkSync(kept, file);
  make("cursor");
  expect(readlinkSync(file)).toBe(kept);
  expect(readFileSync(kept, "utf8")).toContain("consentry");
});

it.each([
  ["what is no JSON", "{ half"],
  ["a list where the servers belong", '{ "mcpServers": [] }'],
])("refuses to touch %s", (_, text) => {
  const file = install("cursor", text);
  expect(() => make("cursor")).toThrow("config_unreadable");
  expect(readFileSync(file, "utf8")).toBe(text);
});

it("keeps the byte order mark that a Windows editor put before the text", () => {
  const file = install("cursor", '\uFEFF{ "a": 1 }');
  make("cursor");
  expect(readFileSync(file, "utf8").startsWith('\uFEFF{ "a": 1')).toBe(true);
  expect(stateOf("cursor")).toBe("connected");
});

it("does nothing for an app that is not installed, or has no hooks", () => {
  expect(() => make("zed")).toThrow("not_found");
  install("zed");
  expect(() => make("zed", true, "hook")).toThrow("not_found");
});

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
    const file = install("codex", undefined, "hook");
    const dataDir = join(home, "data");
    const own = (part: AppPart, id: AppId) =>
      commandOf({ ownCommand: () => [program] }, part, id, dataDir);
    apps = new AppConnections({ dataDir, places: placesOf(), command: own });
    make("codex", true, "hook");
    const hook = apps.list().find(({ app_id }) => app_id === "codex")?.hook;
    expect(hook?.state).toBe("connected");
    // Something else was changed since, so that only our entry goes.
    writeFileSync(file, readFileSync(file, "utf8").replace("{", '{ "mine": 1,'));
    make("codex", false, "hook");
    expect(existsSync(file) ? readFileSync(file, "utf8") : "").not.toContain("onsentry");
  });
});
