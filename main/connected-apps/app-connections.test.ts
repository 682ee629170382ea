import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { APP_IDS, APP_PARTS } from "../../app/bridge/connected-apps.ts";
import { KNOWN_APPS } from "./known-apps.ts";
import { AppComputer, command, editOf, OTHERS } from "./testing/app-computer.ts";

const computer = AppComputer.forEachTest();

it("lists the apps that are installed, and no others", () => {
  expect(computer.apps.list()).toEqual([]);
  computer.install("cursor");
  expect(computer.apps.list()).toEqual([
    {
      app_id: "cursor",
      name: "Cursor",
      tools: { file: computer.fileOf("cursor"), state: "not_connected" },
      hook: { file: computer.fileOf("cursor", "hook"), state: "not_connected", notes: [] },
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
    const file = computer.install(id, other, part);
    chmodSync(file, 0o640);
    computer.make(id, true, part);
    const written = readFileSync(file, "utf8");
    expect(written).toContain("mine");
    expect(found(written)).toEqual(edit.wanted(command(part, id), "linux"));
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readFileSync(`${file}.before-consentry`, "utf8")).toBe(other);
    expect(computer.stateOf(id, part)).toBe("connected");
    computer.make(id, false, part);
    expect(readFileSync(file, "utf8")).toBe(other);
    expect(computer.stateOf(id, part)).toBe("not_connected");
  });

  it("keeps what was written later when our entry is taken out", () => {
    const file = computer.install(id, other, part);
    computer.make(id, true, part);
    writeFileSync(file, readFileSync(file, "utf8").replace("mine", "mine, later"));
    computer.make(id, false, part);
    const left = readFileSync(file, "utf8");
    expect(left).toContain("mine, later");
    expect(found(left)).toBeUndefined();
  });

  it("gets a file if it has none, which goes again with our entry", () => {
    const file = computer.install(id, undefined, part);
    computer.make(id, true, part);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8").startsWith(edit.seed.trimEnd().slice(0, -2))).toBe(true);
    computer.make(id, false, part);
    expect(existsSync(file)).toBe(false);
  });
});

it("a program with another data folder does not replace the file of before", () => {
  const file = computer.install("cursor", OTHERS.json);
  computer.make("cursor");
  computer.apps = computer.consentry("another");
  computer.make("cursor");
  expect(readFileSync(`${file}.before-consentry`, "utf8")).toBe(OTHERS.json);
  computer.make("cursor", false);
  expect(readFileSync(file, "utf8")).toContain("mine");
  expect(computer.stateOf("cursor")).toBe("not_connected");
});

it("an entry connected again, to start the program where it is now, goes with one change", () => {
  const file = computer.install("cursor", OTHERS.json);
  const elsewhere = { command: "/old/node", args: ["/opt/mcp.mjs"] };
  const before = computer.consentry("data", () => elsewhere);
  const wanted = { app_id: "cursor", part: "tools", connect: true } as const;
  before.apply(wanted, before.change(wanted).digest);
  expect(computer.stateOf("cursor")).toBe("changed");
  computer.make("cursor");
  computer.make("cursor");
  computer.make("cursor", false);
  expect(computer.stateOf("cursor")).toBe("not_connected");
  expect(readFileSync(file, "utf8")).toContain("mine");
});

it.each(["~/bin/my-hook.sh codex", "node ~/git-hook.mjs codex", "~/hook.py codex"])(
  "a hook of the person's own stays beside ours: %s",
  (command) => {
    const theirs = { matcher: "Bash", hooks: [{ type: "command", command }] };
    const file = computer.install(
      "codex",
      JSON.stringify({ hooks: { PreToolUse: [theirs] } }),
      "hook",
    );
    expect(computer.stateOf("codex", "hook")).toBe("not_connected");
    computer.make("codex", true, "hook");
    computer.make("codex", true, "hook");
    expect(readFileSync(file, "utf8").split(command)).toHaveLength(2);
    expect(readFileSync(file, "utf8").split("/opt/hook.mjs")).toHaveLength(6);
  },
);

it.each(ALL)(
  "%s, uninstalled with our entry (%s), is no longer listed once that is forgotten",
  (id, part) => {
    computer.install(id, undefined, part);
    computer.make(id, true, part);
    computer.uninstall();
    expect(computer.stateOf(id, part)).toBe("removed");
    computer.make(id, false, part);
    expect(computer.apps.list()).toEqual([]);
    expect(readdirSync(computer.base)).toEqual(["data"]);
  },
);

it("an entry that the person took out is no longer said to be gone once it is forgotten", () => {
  const file = computer.install("vscode", OTHERS.json);
  computer.make("vscode");
  const emptied = '{ "servers": {} }';
  writeFileSync(file, emptied);
  expect(computer.stateOf("vscode")).toBe("removed");
  computer.make("vscode", false);
  expect(computer.stateOf("vscode")).toBe("not_connected");
  expect(readFileSync(file, "utf8")).toBe(emptied);
});

it("does nothing for an app that is not installed, or has no hooks", () => {
  expect(() => computer.make("zed")).toThrow("not_found");
  computer.install("zed");
  expect(() => computer.make("zed", true, "hook")).toThrow("not_found");
});
