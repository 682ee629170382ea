import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONFIG_BYTES_MAX } from "../../app/bridge/connected-apps.ts";
import { AppComputer } from "./testing/app-computer.ts";

const computer = AppComputer.forEachTest();

describe("what others do to the file", () => {
  it("is seen: the entry removed, changed, or the file no longer what its format says", () => {
    const file = computer.install("cursor", "{}\n");
    computer.make("cursor");
    const written = readFileSync(file, "utf8");
    writeFileSync(file, written.replace("/data", "/elsewhere"));
    expect(computer.stateOf("cursor")).toBe("changed");
    writeFileSync(file, "{}\n");
    expect(computer.stateOf("cursor")).toBe("removed");
    writeFileSync(file, "{ half");
    expect(computer.stateOf("cursor")).toBe("not_editable");
  });

  it("after the person looked at the change makes it a different one, which is refused", () => {
    const file = computer.install("cursor", "{}\n");
    const wanted = { app_id: "cursor", part: "tools", connect: true } as const;
    const { digest } = computer.apps.change(wanted);
    writeFileSync(file, '{ "mine": 1 }\n');
    expect(() => computer.apps.apply(wanted, digest)).toThrow("config_changed");
    expect(readFileSync(file, "utf8")).toBe('{ "mine": 1 }\n');
  });
});

it("the lines of a file from Windows are shown without their carriage returns", () => {
  computer.install("cursor", '{\r\n  "theme": "Dark"\r\n}\r\n');
  const { hunks } = computer.apps.change({ app_id: "cursor", part: "tools", connect: true });
  expect(JSON.stringify(hunks)).not.toContain("\\r");
});

it("writes through a link to the file that the person keeps elsewhere", () => {
  const file = computer.install("cursor");
  const kept = join(computer.base, "dotfiles.json");
  writeFileSync(kept, "{}\n");
  symlinkSync(kept, file);
  computer.make("cursor");
  expect(readlinkSync(file)).toBe(kept);
  expect(readFileSync(kept, "utf8")).toContain("consentry");
});

it.each([
  ["what is no JSON", "{ half"],
  ["a list where the servers belong", '{ "mcpServers": [] }'],
])("refuses to touch %s", (_, text) => {
  const file = computer.install("cursor", text);
  expect(() => computer.make("cursor")).toThrow("config_not_editable");
  expect(readFileSync(file, "utf8")).toBe(text);
});

it.each([
  ["a link that leads nowhere", (file: string) => symlinkSync("/nowhere", file)],
  ["a folder", (file: string) => mkdirSync(file)],
  ["what is no text", (file: string) => writeFileSync(file, new Uint8Array([0xff, 0xfe]))],
])("says that it cannot read %s", (_, put) => {
  put(computer.install("cursor"));
  expect(computer.stateOf("cursor")).toBe("unreadable");
  expect(() => computer.make("cursor")).toThrow("config_unreadable");
});

it("keeps the byte order mark that a Windows editor put before the text", () => {
  const file = computer.install("cursor", '\uFEFF{ "a": 1 }');
  computer.make("cursor");
  expect(readFileSync(file, "utf8").startsWith('\uFEFF{ "a": 1')).toBe(true);
  expect(computer.stateOf("cursor")).toBe("connected");
});

it("says how large a file is that is too large, and where the limit is", () => {
  const bytes = CONFIG_BYTES_MAX + 1;
  computer.install("cursor", `{}${" ".repeat(bytes - 2)}`);
  const [view] = computer.apps.list();
  expect(view?.tools).toMatchObject({ state: "too_large", bytes });
  expect(() => computer.make("cursor")).toThrow(coded("config_too_large"));
});

describe("the file of before", () => {
  const theirs = '{\n  // mine\n  "theme": "dark"\n}\n';

  it.each([
    ["a link to another file", (backup: string, other: string) => symlinkSync(other, backup)],
    ["a link that leads nowhere", (backup: string) => symlinkSync("/nowhere/x", backup)],
    ["a folder", (backup: string) => mkdirSync(backup)],
  ])("is not written through or over %s that stands in its place", (_, plant) => {
    const file = computer.install("cursor", theirs);
    const other = join(computer.base, "other.txt");
    writeFileSync(other, "precious\n");
    plant(`${file}.before-consentry`, other);
    expect(() => computer.make("cursor")).toThrow(coded("config_backup_blocked"));
    expect(readFileSync(other, "utf8")).toBe("precious\n");
    expect(readFileSync(file, "utf8")).toBe(theirs);
  });

  it("is refused when something takes its place after the change was shown", () => {
    const file = computer.install("cursor", theirs);
    const wanted = { app_id: "cursor", part: "tools", connect: true } as const;
    const { digest } = computer.apps.change(wanted);
    symlinkSync(join(computer.base, "made-by-us"), `${file}.before-consentry`);
    expect(() => computer.apps.apply(wanted, digest)).toThrow();
    expect(existsSync(join(computer.base, "made-by-us"))).toBe(false);
    expect(readFileSync(file, "utf8")).toBe(theirs);
  });

  it("never replaces one that is there: each is kept under a name of its own", () => {
    const file = computer.install("cursor", theirs);
    writeFileSync(`${file}.before-consentry`, "an earlier one");
    const { backup } = computer.apps.change({ app_id: "cursor", part: "tools", connect: true });
    expect(backup).toBe(`${file}.before-consentry-2`);
    computer.make("cursor");
    expect(readFileSync(`${file}.before-consentry`, "utf8")).toBe("an earlier one");
    expect(readFileSync(`${file}.before-consentry-2`, "utf8")).toBe(theirs);
  });

  it("goes once it is the settings file again", () => {
    const file = computer.install("cursor", theirs);
    computer.make("cursor");
    computer.make("cursor", false);
    expect(readFileSync(file, "utf8")).toBe(theirs);
    expect(existsSync(`${file}.before-consentry`)).toBe(false);
  });

  it("is not read through a link that took its place", () => {
    const file = computer.install("cursor", theirs);
    computer.make("cursor");
    const other = join(computer.base, "other.json");
    writeFileSync(other, '{ "planted": 1 }\n');
    rmSync(`${file}.before-consentry`);
    symlinkSync(other, `${file}.before-consentry`);
    computer.make("cursor", false);
    expect(readFileSync(file, "utf8")).toContain("// mine");
    expect(readFileSync(file, "utf8")).not.toMatch(/planted|consentry/);
  });
});

it("removes nothing that stands where a new file is prepared", () => {
  const file = computer.install("cursor", "{}\n");
  writeFileSync(`${file}.consentry-new`, "somebody else's");
  computer.make("cursor");
  expect(readFileSync(`${file}.consentry-new`, "utf8")).toBe("somebody else's");
  expect(readdirSync(dirname(file)).filter((name) => name.includes(".consentry-"))).toEqual([
    "mcp.json.consentry-new",
  ]);
});

const coded = (code: string) => expect.objectContaining({ code });
