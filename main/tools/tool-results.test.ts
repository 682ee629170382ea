import { mkdirSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CATALOGUE, type ToolName } from "../../app/contract/catalogue.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import { entryOf, PNG, realTools } from "./testing/real-tools.ts";

let tools: Awaited<ReturnType<typeof realTools>>;

const at = (name: string): string => tools.harness.inside(name);
describe.skipIf(process.platform === "win32")("a tool's result is what its schema says", () => {
  beforeAll(async () => {
    tools = await realTools();
    const { harness } = tools;
    mkdirSync(harness.inside("empty"));
    for (const file of ["moving", "gone"]) writeFileSync(harness.inside(file), "x");
    writeFileSync(harness.inside("binary"), Uint8Array.of(0xff, 0xfe));
  });
  afterAll(() => tools[Symbol.asyncDispose]());

  const CALLS: readonly (readonly [ToolName, () => JsonObject])[] = [
    ["read_file", () => ({ path: at("file.txt") })],
    ["read_file", () => ({ path: at("file.txt"), line_start: 1 })],
    ["read_file", () => ({ path: at("binary"), encoding: "base64" })],
    ["list_directory", () => ({ path: tools.harness.root })],
    ["list_directory", () => ({ path: tools.harness.root, limit: 1 })],
    ["search_files", () => ({ path: tools.harness.root })],
    ["search_files", () => ({ path: tools.harness.root, text: "a", max_results: 1 })],
    ["get_file_info", () => ({ path: at("file.txt") })],
    ["get_file_info", () => ({ path: tools.harness.root })],
    ["write_file", () => ({ path: at("new.txt"), content: "a" })],
    ["write_file", () => ({ path: at("new.txt"), content: "YQ==", encoding: "base64" })],
    ["edit_file", () => ({ path: at("new.txt"), edits: [{ old_text: "a", new_text: "b" }] })],
    ["create_directory", () => ({ path: at("made/here"), parents: true })],
    ["move_file", () => ({ from: at("moving"), to: at("moved") })],
    ["move_file", () => ({ from: at("folder"), to: at("empty"), overwrite: true })],
    ["delete_file", () => ({ path: at("gone") })],
    ["read_clipboard", () => ({})],
    ["read_clipboard", () => ({ format: "image" })],
    ["write_clipboard", () => ({ text: "x" })],
    ["write_clipboard", () => ({ image: PNG.toString("base64") })],
    ["send_notification", () => ({ title: "x" })],
    ["get_location", () => ({})],
    ["get_location", () => ({ accuracy: "fine" })],
    ["fetch_url", () => ({ url: tools.server.url })],
    ["run_command", () => ({ argv: ["true"], directory: tools.commands.root })],
    ["run_command", () => ({ argv: ["sh", "-c", "kill -9 $$"], directory: tools.commands.root })],
  ];

  it.each(CALLS)("%s", async (name, args) => {
    const result = await tools.run(name, args());
    expect(entryOf(name).isResult(result), JSON.stringify(result)).toBe(true);
  });

  it("and no tool is missing here", () => {
    expect(new Set(CALLS.map(([name]) => name))).toEqual(new Set(CATALOGUE.keys()));
  });
});
