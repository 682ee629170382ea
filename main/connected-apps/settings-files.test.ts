import { mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
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
