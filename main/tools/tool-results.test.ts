import { mkdirSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CATALOGUE, type ToolName } from "../../app/contract/catalogue.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import { exampleIn, fillExampleFolder } from "./testing/example-calls.ts";
import { entryOf, PNG, realTools } from "./testing/real-tools.ts";

let tools: Awaited<ReturnType<typeof realTools>>;

const at = (name: string): string => tools.harness.inside(name);
describe.skipIf(process.platform === "win32")("a tool's result is what its schema says", () => {
  beforeAll(async () => {
    tools = await realTools();
    const { harness } = tools;
    mkdirSync(harness.inside("empty"));
    writeFileSync(harness.inside("binary"), Uint8Array.of(0xff, 0xfe));
  });
  afterAll(() => tools[Symbol.asyncDispose]());

  const CALLS: readonly (readonly [ToolName, () => JsonObject])[] = [
    ["read_file", () => ({ path: at("file.txt"), line_start: 1 })],
    ["read_file", () => ({ path: at("binary"), encoding: "base64" })],
    ["list_directory", () => ({ path: tools.harness.root, limit: 1 })],
    ["search_files", () => ({ path: tools.harness.root })],
    ["search_files", () => ({ path: tools.harness.root, text: "a", max_results: 1 })],
    ["get_file_info", () => ({ path: tools.harness.root })],
    ["write_file", () => ({ path: at("new.txt"), content: "a" })],
    ["write_file", () => ({ path: at("new.txt"), content: "YQ==", encoding: "base64" })],
    ["edit_file", () => ({ path: at("new.txt"), edits: [{ old_text: "a", new_text: "b" }] })],
    ["create_directory", () => ({ path: at("made/here"), parents: true })],
    ["move_file", () => ({ from: at("folder"), to: at("empty"), overwrite: true })],
    ["read_clipboard", () => ({ format: "image" })],
    ["write_clipboard", () => ({ image: PNG.toString("base64") })],
    ["get_location", () => ({ accuracy: "fine" })],
    ["run_command", () => ({ argv: ["sh", "-c", "kill -9 $$"], directory: tools.commands.root })],
  ];

  it.each(CALLS)("%s", async (name, args) => {
    const result = await tools.run(name, args());
    expect(entryOf(name).isResult(result), JSON.stringify(result)).toBe(true);
  });

  it.each([...CATALOGUE.keys()] as ToolName[])("%s, called as in its example", async (name) => {
    const folder = name === "run_command" ? tools.commands.root : at("examples");
    fillExampleFolder(folder);
    const args = exampleIn(name, folder);
    const result = await tools.run(
      name,
      name === "fetch_url" ? { ...args, url: tools.server.url } : args,
    );
    expect(entryOf(name).isResult(result), JSON.stringify(result)).toBe(true);
  });
});
