import { execFileSync } from "node:child_process";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CATALOGUE, type ToolName } from "../../app/contract/catalogue.ts";
import { ERROR_REASONS, type ToolFailureWord } from "../../app/contract/codes.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import { CLIPBOARD_MAX_CHARS } from "../../app/contract/tools/clipboard.ts";
import { LIST_DIRECTORY_MAX_ENTRIES } from "../../app/contract/tools/list-directory.ts";
import { FAILURES_OF_EVERY_TOOL } from "../../app/contract/tools/tool-contract.ts";
import { toolFailure } from "../../app/execution/ports.ts";
import { FILE_TOOLS, type FileToolName } from "./file-tools.ts";
import type { PlatformServices } from "./platform/platform-services.ts";
import { exampleAt } from "./testing/example-calls.ts";
import { DESKTOP, entryOf, realTools } from "./testing/real-tools.ts";
import { failureOf } from "./testing/tool-context.ts";

let tools: Awaited<ReturnType<typeof realTools>>;

const at = (name: string): string => tools.harness.inside(name);
const failing = (word: ToolFailureWord) => () => Promise.reject(toolFailure(word));
const clipboard = (read: () => Promise<string>): PlatformServices => ({
  ...DESKTOP,
  clipboard: () => ({ read, write: failing("clipboard_error") }),
});
const image = (of: Uint8Array | null): PlatformServices => ({
  ...DESKTOP,
  clipboardImages: () => ({ read: async () => of, write: async () => undefined }),
});
const nowhere = (word: ToolFailureWord): PlatformServices => ({
  ...DESKTOP,
  location: () => ({ find: failing(word) }),
});
const mute: PlatformServices = {
  ...DESKTOP,
  notifications: () => ({ show: failing("notification_error") }),
};

type Row = readonly [ToolName, ToolFailureWord, () => JsonObject, PlatformServices?];

/** What can go wrong with a path, for every tool that has one. */
const onPath = (
  name: ToolName,
  argsFor: (path: string) => JsonObject,
  inside = at,
): readonly Row[] => [
  [name, "invalid_path", () => argsFor(inside("x".repeat(300)))],
  [name, "outside_roots", () => argsFor(tools.harness.beside("root-evil"))],
  [name, "not_found", () => argsFor(inside("nothing/here"))],
  [name, "not_a_directory", () => argsFor(inside("file.txt/x"))],
];
const onFiles = (Object.keys(FILE_TOOLS) as FileToolName[]).flatMap((name) => {
  const argsFor = (path: string) => exampleAt(name, path);
  const pipe: Row = [name, "not_a_regular_file", () => argsFor(at("fifo"))];
  const isOfFiles = CATALOGUE.get(name)?.reach === "one_file" || FILE_TOOLS[name].draw !== null;
  return [...onPath(name, argsFor), ...(isOfFiles ? [pipe] : [])];
});
const writing = (path: string) => ({ path, content: "" });
const editing = (old_text: string) => (path: string) => ({
  path,
  edits: [{ old_text, new_text: "b" }],
});
const moving = (from: string) => ({ from, to: at("elsewhere") });
const over = (from: string, to: string) => ({ from: at(from), to: at(to), overwrite: true });
const command = (...argv: string[]) => ({ argv, directory: tools.commands.root });

const ROWS: readonly Row[] = [
  ...onFiles,
  ["read_file", "is_a_directory", () => ({ path: at("full") })],
  ["read_file", "not_text", () => ({ path: at("binary") })],
  ["read_file", "too_large", () => ({ path: at("large") })],
  ["list_directory", "too_large", () => ({ path: at("many") })],
  ["write_file", "is_a_root", () => writing(tools.harness.root)],
  ["write_file", "is_a_directory", () => writing(at("full"))],
  ["write_file", "already_exists", () => ({ ...writing(at("file.txt")), if_exists: "fail" })],
  ["edit_file", "is_a_root", () => editing("a")(tools.harness.root)],
  ["edit_file", "is_a_directory", () => editing("a")(at("full"))],
  ["edit_file", "not_text", () => editing("a")(at("binary"))],
  ["edit_file", "too_large", () => editing("a")(at("large"))],
  ["edit_file", "text_not_found", () => editing("z")(at("twice.txt"))],
  ["edit_file", "text_not_unique", () => editing("a")(at("twice.txt"))],
  ["move_file", "is_a_root", () => moving(tools.harness.root)],
  ["move_file", "already_exists", () => ({ from: at("file.txt"), to: at("twice.txt") })],
  ["move_file", "is_a_directory", () => over("binary", "full")],
  ["move_file", "directory_not_empty", () => over("other", "full")],
  ["delete_file", "is_a_root", () => ({ path: tools.harness.root })],
  ["read_clipboard", "clipboard_error", () => ({}), clipboard(failing("clipboard_error"))],
  ["read_clipboard", "not_text", () => ({}), clipboard(failing("not_text"))],
  [
    "read_clipboard",
    "too_large",
    () => ({}),
    clipboard(async () => "x".repeat(CLIPBOARD_MAX_CHARS + 1)),
  ],
  ["read_clipboard", "clipboard_empty", () => ({ format: "image" }), image(null)],
  ["read_clipboard", "not_an_image", () => ({ format: "image" }), image(Uint8Array.of(1))],
  ["write_clipboard", "clipboard_error", () => ({ text: "x" }), clipboard(async () => "")],
  ["write_clipboard", "not_an_image", () => ({ image: "AAAA" })],
  // Two units each: the schema counts characters, the clipboard UTF-16 units.
  ["write_clipboard", "too_large", () => ({ text: "🙈".repeat(CLIPBOARD_MAX_CHARS) })],
  ["send_notification", "notification_error", () => ({ title: "x" }), mute],
  ["get_location", "location_error", () => ({}), nowhere("location_error")],
  ["get_location", "no_fix", () => ({}), nowhere("no_fix")],
  ["fetch_url", "access_denied", () => ({ url: "file:///etc/passwd" })],
  ["fetch_url", "network_error", () => ({ url: `${tools.server.url}/broken` })],
  ["fetch_url", "too_large", () => ({ url: `${tools.server.url}/large` })],
  ...onPath(
    "run_command",
    (directory) => ({ argv: ["true"], directory }),
    (name) => tools.commands.inside(name),
  ).filter(([, word]) => word !== "not_a_directory"),
  ["run_command", "program_not_found", () => command("no-such-program")],
  ["run_command", "too_large", () => command("head", "-c", "600000", "/dev/zero")],
];

/** What was shown is no longer what is there. */
const CHANGED: readonly (readonly [ToolName, () => JsonObject])[] = [
  ["write_file", () => writing(at("file.txt"))],
  ["edit_file", () => editing("i")(at("file.txt"))],
  ["move_file", () => moving(at("binary"))],
  ["delete_file", () => ({ path: at("binary") })],
  ["run_command", () => command("true")],
];

/** These need a failing disk, other permissions, another volume or a link to our own data. */
const NOT_TRIED: ReadonlySet<ToolFailureWord> = new Set([
  ...(["access_denied", "io_error", "disk_full", "different_volume"] as const),
  ...(["own_data_linked", "trash_unavailable"] as const),
]);

/** These need something of another kind in the middle of a path, or a tree of a million entries. */
const NOT_TRIED_OF: Readonly<Partial<Record<ToolName, readonly ToolFailureWord[]>>> = {
  list_directory: ["not_a_regular_file"],
  search_files: ["not_a_regular_file", "too_large"],
  get_file_info: ["not_a_regular_file"],
  create_directory: ["not_a_regular_file"],
  run_command: ["not_a_directory", "not_a_regular_file"],
};

describe.skipIf(process.platform !== "linux")("a tool fails with the words it lists", () => {
  beforeAll(async () => {
    tools = await realTools();
    const { harness } = tools;
    for (const folder of ["full", "other", "many"]) mkdirSync(harness.inside(folder));
    for (let nth = 0; nth <= LIST_DIRECTORY_MAX_ENTRIES; nth += 1) {
      writeFileSync(harness.inside("many", `${nth}`), "");
    }
    for (const file of ["full/one", "twice.txt"]) writeFileSync(harness.inside(file), "a a");
    writeFileSync(harness.inside("binary"), Uint8Array.of(0xff, 0xfe));
    writeFileSync(harness.inside("large"), "");
    truncateSync(harness.inside("large"), 2_000_000);
    execFileSync("mkfifo", [harness.inside("fifo")]);
  });
  afterAll(() => tools[Symbol.asyncDispose]());

  it.for(ROWS)("%s: %s", async ([name, word, args, desktop]) => {
    expect(await failureOf(tools.run(name, args(), desktop))).toBe(word);
  });

  it.each(CHANGED)("%s: changed_since_shown", async (name, args) => {
    const call = tools.run(name, args(), DESKTOP, "something else");
    expect(await failureOf(call)).toBe("changed_since_shown");
  });

  it.each([...CATALOGUE.keys()] as ToolName[])("%s lists these and no others", (name) => {
    const tried = ROWS.flatMap(([tool, word]) => (tool === name ? [word] : []));
    const changed = CHANGED.some(([tool]) => tool === name) ? ["changed_since_shown"] : [];
    const all = new Set<string>([...tried, ...changed, ...(NOT_TRIED_OF[name] ?? [])]);
    const listed = entryOf(name).failures.filter((word) => all.has(word) || !NOT_TRIED.has(word));
    expect(listed.toSorted(), `rows of ${name} in this file`).toEqual([...all].toSorted());
  });
});

it("every word of the contract's table is some tool's, or every tool's", () => {
  const told = [...CATALOGUE.values()].flatMap(({ failures }) => failures);
  expect(new Set([...told, ...FAILURES_OF_EVERY_TOOL])).toEqual(
    new Set(ERROR_REASONS.TOOL_PLATFORM_ERROR),
  );
});
