import { readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AppComputer, OTHERS } from "./testing/app-computer.ts";

const computer = AppComputer.forEachTest();

describe("taking out everything of ours", () => {
  const parts = [
    ["cursor", "tools"],
    ["gemini", "tools"],
    ["gemini", "hook"],
  ] as const;
  const connectAll = () => {
    computer.install("cursor", OTHERS.json);
    computer.install("gemini", OTHERS.json);
    for (const [id, part] of parts) computer.make(id, true, part);
  };
  const states = () => parts.map(([id, part]) => computer.stateOf(id, part));

  it("leaves alone the files of apps that were never connected, also one that does not parse", () => {
    connectAll();
    const theirs = computer.install("windsurf", "{ half");
    computer.apps.disconnectAll();
    expect(states()).toEqual(["not_connected", "not_connected", "not_connected"]);
    expect(readFileSync(theirs, "utf8")).toBe("{ half");
  });

  it("takes nothing out while an entry stands in a file that does not parse", () => {
    connectAll();
    const broken = computer.install("windsurf", "{}");
    computer.make("windsurf");
    writeFileSync(broken, "{ half");
    expect(() => computer.apps.disconnectAll()).toThrow("config_not_editable");
    expect(states()).toEqual(["connected", "connected", "connected"]);
  });

  it("takes out the others when one file cannot be written, and says so", () => {
    connectAll();
    const file = computer.fileOf("cursor");
    // No longer name fits beside it, so the new text cannot be written there.
    const kept = join(computer.base, `${"long".repeat(62)}.json`);
    renameSync(file, kept);
    symlinkSync(kept, file);
    expect(() => computer.apps.disconnectAll()).toThrow("file_unwritable");
    expect(states()).toEqual(["connected", "not_connected", "not_connected"]);
  });
});
