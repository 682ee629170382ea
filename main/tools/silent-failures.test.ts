import { once } from "node:events";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { inspect } from "node:util";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ToolName } from "../../app/contract/catalogue.ts";
import { ERROR_REASONS } from "../../app/contract/codes.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import type { NetworkHost } from "../../app/contract/network-host.ts";
import { type Tool, toolFailure } from "../../app/execution/ports.ts";
import { PROGRAMS } from "../testing/built-programs.ts";
import { tcpServer } from "./fetch/testing/local-server.ts";
import { fetchUrlTool } from "./fetch-url.ts";
import { FILE_TOOLS, type FileToolName } from "./file-tools.ts";
import { createFileService } from "./files/file-service.ts";
import type { FileService } from "./files/file-tool.ts";
import { pathPlatform } from "./files/paths/path-rules.ts";
import { sharedNumbers } from "./files/shared-numbers.ts";
import { FileHarness } from "./files/testing/file-harness.ts";
import type { FileWorkerData } from "./files/worker-lane.ts";
import { NO_SERVICES, type PlatformServices } from "./platform/platform-services.ts";
import { readFileTool } from "./read-file.ts";
import { exampleAt } from "./testing/example-calls.ts";
import { entryOf } from "./testing/real-tools.ts";
import { testToolBox } from "./testing/test-tool-box.ts";
import { rootAt, toolContext } from "./testing/tool-context.ts";

/** Occurs in every path, text, name and answer; no failure may contain it (contract §6). */
const MARK = "s3cr3t-m4rk";
const WORKER = PROGRAMS.fileWorker;
const PLATFORM = pathPlatform(process.platform);

const harness = new FileHarness();
let files: FileService;

beforeAll(() => {
  mkdirSync(harness.inside(MARK));
  writeFileSync(harness.inside(MARK, "text"), MARK);
  writeFileSync(harness.inside(MARK, "bytes"), Buffer.from(`${MARK}\xff`, "latin1"));
  writeFileSync(harness.inside(MARK, "large"), MARK.repeat(100_000));
  writeFileSync(harness.inside(MARK, "locked"), MARK);
  chmodSync(harness.inside(MARK, "locked"), 0);
  symlinkSync(harness.beside("secret.txt"), harness.inside(MARK, "link"));
  files = createFileService({ workerUrl: WORKER });
});

afterAll(async () => {
  await files.close();
  harness.remove();
});

async function failureOf(
  tool: Tool | undefined,
  args: JsonObject,
  hosts: readonly NetworkHost[] = [],
): Promise<unknown> {
  const given = { roots: [rootAt(harness.root, "read_write")], hosts };
  return tool?.run(args, toolContext({ ...given, agent_name: MARK, conversation_id: MARK })).then(
    () => "no failure",
    (error: unknown) => error,
  );
}

/** Only a code of the table and nothing else, not even in hidden properties. */
function expectOnlyAWord(error: unknown): void {
  if (!toolFailure.is(error)) throw new Error(`no ToolFailure: ${inspect(error)}`);
  expect(ERROR_REASONS.TOOL_PLATFORM_ERROR).toContain(error.code);
  expect(error.message).toBe(error.code);
  expect(Reflect.ownKeys(error).toSorted()).toEqual([
    "code",
    "details",
    "message",
    "name",
    "stack",
  ]);
  expect(error.details).toBeUndefined();
  const everything = inspect(error, { showHidden: true, depth: 9 });
  expect(everything).not.toContain(MARK);
  expect(everything).not.toContain(harness.base);
}

describe("a failed file tool says a word and nothing of the file", () => {
  const UNUSABLE = ["link", "text/below", "..", "\0", "\ud800", "n".repeat(300), MARK.repeat(500)];
  const NOT_READ = ["missing", "bytes", "large", ...UNUSABLE];
  const places = (name: string) =>
    [harness.root, harness.base, ""].map((folder) => `${folder}/${MARK}/${name}`);

  /** The calls of all tools that change files, or of all others, with their path. */
  const calls = (changes: boolean, path: string): readonly (readonly [Tool, JsonObject])[] => [
    ...Object.entries(FILE_TOOLS)
      .filter(([, { lane }]) => (lane === "change") === changes)
      .map(([name, tool]) => {
        const args = exampleAt(name as FileToolName, path);
        return [tool.on(files, PLATFORM), args] as const;
      }),
    ...(changes ? [] : [[readFileTool.on(files, PLATFORM), { path, line_start: 1 }] as const]),
  ];

  async function failures(changes: boolean, names: readonly string[]): Promise<number> {
    let failed = 0;
    for (const path of names.flatMap(places)) {
      for (const [tool, args] of calls(changes, path)) {
        const error = await failureOf(tool, args);
        if (error === "no failure") continue;
        failed += 1;
        expectOnlyAWord(error);
      }
    }
    return failed;
  }

  it.each(NOT_READ)("that reads, %j", async (name) => {
    expect(await failures(false, [name])).toBeGreaterThan(10);
  });

  it("that changes", async () => {
    expect(await failures(true, UNUSABLE)).toBeGreaterThan(80);
  });

  it("also where the user may not read it", async (ctx) => {
    if (process.getuid?.() === 0) return ctx.skip("root reads everything");
    const path = harness.inside(MARK, "locked");
    expectOnlyAWord(await failureOf(readFileTool.on(files, PLATFORM), { path }));
  });
});

describe("a failed platform tool says a word and nothing of what the host said", () => {
  const fail = (): Promise<never> =>
    Promise.reject(Object.assign(new Error(MARK, { cause: MARK }), { path: MARK, stderr: MARK }));
  const throwing = (): never => {
    throw new Error(MARK);
  };
  const platform = {
    ...NO_SERVICES,
    clipboard: () => ({ read: fail, write: fail }),
    notifications: () => ({ show: fail }),
    location: () => ({ find: fail }),
  };
  const box = (services: PlatformServices) =>
    testToolBox({ files, platform: services, command: { ownFolders: [harness.beside("own")] } });
  /** What all tools but those for files fail with, on a computer where nothing works. */
  const FAILING: Readonly<Record<Exclude<ToolName, FileToolName>, readonly [string, JsonObject]>> =
    {
      read_clipboard: ["clipboard_error", {}],
      write_clipboard: ["clipboard_error", { text: MARK }],
      send_notification: ["notification_error", { title: MARK, body: MARK }],
      get_location: ["location_error", {}],
      fetch_url: ["access_denied", { url: `file:///${MARK}` }],
      run_command: ["program_not_found", { argv: [MARK], directory: harness.inside(MARK) }],
    };

  it.each(Object.entries(FAILING))("%s: %s", async (name, [word, args]) => {
    mkdirSync(harness.beside("own"), { recursive: true });
    const tool = box(platform).tool(entryOf(name as ToolName));
    const error = await failureOf(tool, args);
    expectOnlyAWord(error);
    expect(error).toMatchObject({ code: word });
  });

  it("also where it fails at once", async () => {
    const tool = box({ ...platform, clipboard: throwing }).tool(entryOf("read_clipboard"));
    expect(await failureOf(tool, {})).toMatchObject({ code: "clipboard_error" });
  });
});

describe("a failed fetch says a word and nothing of the address or the answer", () => {
  it.each([
    ["nobody answers at all", ""],
    ["no HTTP", `${MARK}\r\n\r\n`],
    ["a header that breaks off", `HTTP/1.1 200 ${MARK}\r\nx-${MARK}`],
    ["two lengths", `HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n${MARK}`],
    ["no gzip", `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n${MARK}`],
  ])("%s", async (_, answer) => {
    await using server = await tcpServer((socket) => socket.end(answer));
    const url = `${server.url}/${MARK}?${MARK}`;
    const tool = fetchUrlTool({ ownPorts: () => [] });
    const hosts = [{ host: "127.0.0.1", port: server.port }];
    expectOnlyAWord(await failureOf(tool, { url, headers: { "x-mark": MARK } }, hosts));
  });

  it("a name that nobody knows", async () => {
    const network = {
      lookupAll: () => Promise.reject(new Error(`getaddrinfo ENOTFOUND ${MARK}.test`)),
      ownAddresses: () => [],
    };
    const url = `http://${MARK}.test/`;
    expectOnlyAWord(await failureOf(fetchUrlTool({ network, ownPorts: () => [] }), { url }));
  });
});

describe("what the file worker sends", () => {
  let worker: Worker;

  beforeAll(() => {
    const workerData: FileWorkerData = { ownData: [], dropped: sharedNumbers() };
    worker = new Worker(WORKER, { env: {}, execArgv: [], workerData });
  });

  afterAll(() => worker.terminate());

  it.each([
    ["a missing file", "read_file", { path: "missing", offset: 0, encoding: "utf-8" }],
    ["bytes for text", "read_file", { path: "bytes", offset: 0, encoding: "utf-8" }],
    ["too much", "read_file", { path: "large", line_start: 1 }],
    ["a link", "list_directory", { path: "link" }],
    ["no such job", MARK, { path: MARK }],
    ["no path", "get_file_info", { path: 7 }],
    ["no search", "search_files", { path: "", text: MARK }],
  ])("of %s is a word and nothing else", async (_, tool, job) => {
    const path = typeof job.path === "string" ? harness.inside(MARK, job.path) : job.path;
    worker.postMessage({ tool, job: { ...job, path, rootPath: harness.root } });
    const [answer] = await once(worker, "message");
    const word = expect.toBeOneOf([...ERROR_REASONS.TOOL_PLATFORM_ERROR]);
    expect(answer).toStrictEqual({ ok: false, word });
  });
});
