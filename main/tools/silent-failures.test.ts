import { once } from "node:events";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { inspect } from "node:util";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ERROR_REASONS } from "../../app/contract/codes.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import type { NetworkHost } from "../../app/contract/network-host.ts";
import { type Tool, ToolFailure } from "../../app/execution/ports.ts";
import { createI18n } from "../../i18n/index.ts";
import { PROGRAMS } from "../testing/built-programs.ts";
import { readClipboardTool, writeClipboardTool } from "./clipboard.ts";
import { tcpServer } from "./fetch/testing/local-server.ts";
import { fetchUrlTool } from "./fetch-url.ts";
import type { FileWorkerData } from "./files/file-jobs.ts";
import { createFileService, type FileService } from "./files/file-service.ts";
import { pathPlatform } from "./files/paths/path-rules.ts";
import { stopFlag } from "./files/stop-flag.ts";
import { FileHarness } from "./files/testing/file-harness.ts";
import { getFileInfoTool } from "./get-file-info.ts";
import { listDirectoryTool } from "./list-directory.ts";
import { foldNotifications } from "./platform/notification-fold.ts";
import { NO_SERVICES } from "./platform/platform-services.ts";
import { readFileTool } from "./read-file.ts";
import { searchFilesTool } from "./search-files.ts";
import { sendNotificationTool } from "./send-notification.ts";
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
  tool: Tool,
  args: JsonObject,
  hosts: readonly NetworkHost[] = [],
): Promise<unknown> {
  const given = { roots: [rootAt(harness.root)], hosts };
  return tool.run(args, toolContext({ ...given, agent_name: MARK, conversation_id: MARK })).then(
    () => "no failure",
    (error: unknown) => error,
  );
}

/** Only a word of the table and nothing else, not even in hidden properties. */
function expectOnlyAWord(error: unknown): void {
  if (!(error instanceof ToolFailure)) throw new Error(`no ToolFailure: ${inspect(error)}`);
  expect(ERROR_REASONS.TOOL_PLATFORM_ERROR).toContain(error.word);
  expect(error.message).toBe(error.word);
  expect(Reflect.ownKeys(error).toSorted()).toEqual(["message", "name", "stack", "word"]);
  const everything = inspect(error, { showHidden: true, depth: 9 });
  expect(everything).not.toContain(MARK);
  expect(everything).not.toContain(harness.base);
}

describe("a failed file tool says a word and nothing of the file", () => {
  const PATHS = [
    ...["missing", "link", "bytes", "large", "text/below", "..", "\0", "\ud800", "n".repeat(300)],
    `${MARK.repeat(500)}`,
  ].map((name) => `${MARK}/${name}`);
  const ways = (): readonly (readonly [Tool, JsonObject])[] => [
    [readFileTool(files, PLATFORM), {}],
    [readFileTool(files, PLATFORM), { line_start: 1 }],
    [listDirectoryTool(files, PLATFORM), {}],
    [getFileInfoTool(files, PLATFORM), {}],
    [searchFilesTool(files, PLATFORM), { text: MARK }],
  ];

  it.each(PATHS)("%j", async (below) => {
    let failed = 0;
    for (const path of [`${harness.root}/${below}`, `${harness.base}/${below}`, below]) {
      for (const [tool, more] of ways()) {
        const error = await failureOf(tool, { path, ...more });
        if (error === "no failure") continue;
        failed += 1;
        expectOnlyAWord(error);
      }
    }
    expect(failed).toBeGreaterThan(10);
  });

  it("also where the user may not read it", async (ctx) => {
    if (process.getuid?.() === 0) return ctx.skip("root reads everything");
    const path = harness.inside(MARK, "locked");
    expectOnlyAWord(await failureOf(readFileTool(files, PLATFORM), { path }));
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
  };
  const { t } = createI18n("en");
  const notifying = {
    folding: foldNotifications(() => 0),
    texts: () => t,
    wanted: () => true,
    label: () => null,
  };

  it.each<[string, string, Tool, JsonObject]>([
    ["read_clipboard", "clipboard_error", readClipboardTool(platform), {}],
    ["at once", "clipboard_error", readClipboardTool({ ...platform, clipboard: throwing }), {}],
    ["write_clipboard", "clipboard_error", writeClipboardTool(platform), { text: MARK }],
    [
      "send_notification",
      "notification_error",
      sendNotificationTool({ ...notifying, platform }),
      { title: MARK, body: MARK },
    ],
  ])("%s: %s", async (_, word, tool, args) => {
    const error = await failureOf(tool, args);
    expectOnlyAWord(error);
    expect(error).toMatchObject({ word });
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
    const workerData: FileWorkerData = { ownData: [], dropped: stopFlag() };
    worker = new Worker(WORKER, { env: {}, execArgv: [], workerData });
  });

  afterAll(() => worker.terminate());

  it.each([
    ["a missing file", { kind: "read", path: "missing", offset: 0, encoding: "utf-8" }],
    ["bytes for text", { kind: "read", path: "bytes", offset: 0, encoding: "utf-8" }],
    ["too much", { kind: "lines", path: "large", line_start: 1 }],
    ["a link", { kind: "list", path: "link" }],
    ["no such job", { kind: MARK, path: MARK }],
    ["no path", { kind: "info", path: 7 }],
    ["no search", { kind: "search", path: "", text: MARK }],
  ])("of %s is a word and nothing else", async (_, job) => {
    const path = typeof job.path === "string" ? harness.inside(MARK, job.path) : job.path;
    worker.postMessage({ ...job, path, rootPath: harness.root });
    const [answer] = await once(worker, "message");
    const word = expect.toBeOneOf([...ERROR_REASONS.TOOL_PLATFORM_ERROR]);
    expect(answer).toStrictEqual({ ok: false, word });
  });
});
