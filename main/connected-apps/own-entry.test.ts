import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { APP_IDS } from "../../app/bridge/connected-apps.ts";
import { withEntry } from "./config-text.ts";
import { AppComputer, editOf, OTHERS } from "./testing/app-computer.ts";

const computer = AppComputer.forEachTest();
const OWN = { command: "my-wrapper", args: ["--x"] };
const kept = (file: string): string => readFileSync(`${file}.before-consentry`, "utf8");

describe.each(APP_IDS)("an entry that %s had before us", (id) => {
  const { format, member, found } = editOf(id, "tools");
  const text = withEntry(format, OTHERS[format] ?? "", [member, "consentry"], OWN);

  it("is kept when ours replaces it, and comes back", () => {
    const file = computer.install(id, text);
    expect(computer.stateOf(id)).toBe("not_ours");
    computer.make(id);
    expect(computer.stateOf(id)).toBe("connected");
    expect(kept(file)).toBe(text);
    computer.make(id, false);
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(computer.stateOf(id)).toBe("not_ours");
  });

  it("is kept when it is taken out", () => {
    const file = computer.install(id, text);
    const { backup } = computer.apps.change({ app_id: id, part: "tools", connect: false });
    expect(backup).toBe(`${file}.before-consentry`);
    computer.make(id, false);
    expect(found(readFileSync(file, "utf8"))).toBeUndefined();
    expect(kept(file)).toBe(text);
  });

  it("stays when everything of ours is taken out", () => {
    const file = computer.install(id, text);
    computer.apps.disconnectAll();
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});

it("a hook that the person entered is kept when ours replaces it, and comes back", () => {
  const hook = { type: "command", command: "consentry hook codex", timeout: 9 };
  const text = JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [hook] }] } });
  const file = computer.install("codex", text, "hook");
  computer.make("codex", true, "hook");
  expect(kept(file)).toBe(text);
  computer.make("codex", false, "hook");
  expect(readFileSync(file, "utf8")).toBe(text);
});

it.each([[["hook", "tools"]], [["tools", "hook"]]] as const)(
  "one written beside our hook is kept when ours replaces it; %j taken out leave nothing of ours",
  (taken) => {
    const file = computer.install("gemini", OTHERS.json);
    computer.make("gemini", true, "hook");
    const both = withEntry("json", readFileSync(file, "utf8"), ["mcpServers", "consentry"], OWN);
    writeFileSync(file, both);
    computer.make("gemini");
    expect(kept(file)).toBe(OTHERS.json);
    expect(readFileSync(`${file}.before-consentry-2`, "utf8")).toBe(both);
    for (const part of taken) computer.make("gemini", false, part);
    expect(readFileSync(file, "utf8")).not.toContain("/opt");
    expect(readFileSync(file, "utf8")).toContain("mine");
  },
);

it("that of a program with another data folder comes back, and goes with a change of its own", () => {
  const file = computer.install("cursor", OTHERS.json);
  computer.make("cursor");
  const ours = computer.apps;
  computer.apps = computer.consentry("another", () => OWN);
  computer.make("cursor");
  computer.make("cursor", false);
  computer.apps = ours;
  expect(computer.stateOf("cursor")).toBe("connected");
  computer.make("cursor", false);
  expect(computer.stateOf("cursor")).toBe("not_connected");
  expect(readFileSync(file, "utf8")).toContain("mine");
});
