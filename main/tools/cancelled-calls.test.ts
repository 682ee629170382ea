import { mkdirSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ToolName } from "../../app/contract/catalogue.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import type { Tool } from "../../app/execution/ports.ts";
import { createI18n } from "../../i18n/index.ts";
import { PROGRAMS } from "../testing/built-programs.ts";
import { readClipboardTool, writeClipboardTool } from "./clipboard.ts";
import { httpServer } from "./fetch/testing/local-server.ts";
import { fetchUrlTool } from "./fetch-url.ts";
import { FILE_TOOLS, type FileToolName } from "./file-tools.ts";
import { createFileService } from "./files/file-service.ts";
import type { FileTool } from "./files/file-tool.ts";
import { FileHarness } from "./files/testing/file-harness.ts";
import { getLocationTool } from "./get-location.ts";
import { listDirectoryTool } from "./list-directory.ts";
import { foldNotifications } from "./platform/notification-fold.ts";
import { NO_SERVICES, type PlatformServices } from "./platform/platform-services.ts";
import { testPng } from "./platform/testing/test-png.ts";
import { readFileTool } from "./read-file.ts";
import { searchFilesTool } from "./search-files.ts";
import { sendNotificationTool } from "./send-notification.ts";
import {
  CALLS,
  cancelMany,
  expectCancelled,
  expectHeld,
  held,
  type Kind,
  TURNS,
  turns,
} from "./testing/cancel-many.ts";
import { exampleIn, fillExampleFolder } from "./testing/example-calls.ts";
import { rootAt, toolContext } from "./testing/tool-context.ts";

const harness = new FileHarness();

beforeAll(async () => {
  fillExampleFolder(harness.root);
  mkdirSync(harness.inside("many"));
  for (let nth = 0; nth < 30; nth += 1) {
    writeFileSync(harness.inside("many", `f${nth}`), "some words\n".repeat(50));
  }
  // Starts Node's own threads before anything is counted.
  await Promise.all(Array.from({ length: 32 }, () => stat(harness.root)));
});

afterAll(() => harness.remove());

const given = () => ({ roots: [rootAt(harness.root)] });

describe("cancelled ten thousand times, and nothing is left over", () => {
  const READS = Object.entries(FILE_TOOLS).filter(([, { lane }]) => lane !== "change");
  const FILE_CALLS: readonly (readonly [string, FileTool, JsonObject])[] = [
    ...READS.map(([name, tool]) => [name, tool, exampleIn(name as FileToolName, "")] as const),
    ["read_file by lines", readFileTool, { path: "/file.txt", line_start: 1 }],
    ["list_directory, a large one", listDirectoryTool, { path: "/many" }],
    ["search_files, in many", searchFilesTool, { path: "/many", text: "absent" }],
  ];

  it.for(FILE_CALLS)("%s", { timeout: 120_000 }, async ([, { on }, { path, ...more }], ctx) => {
    if (process.platform !== "linux") return ctx.skip("needs /proc");
    const before = held();
    const files = createFileService({
      workerUrl: PROGRAMS.fileWorker,
    });
    const tool = on(files, "posix");
    const args = { path: `${harness.root}${path}`, ...more };
    await tool.run(args, toolContext({ roots: [rootAt(harness.root)] }));
    expectCancelled(await cancelMany({ tool, args: () => args, given: given() }));
    await files.close();
    await expectHeld(before);
  });

  const PNG = testPng(2, 2);
  const BERLIN = {
    latitude: 52.5,
    longitude: 13.4,
    accuracy_m: 10,
    timestamp: 0,
    source: "geoclue",
  } as const;
  /** Host services that answer only after a while, or never if the call is aborted first. */
  const later = async (signal: AbortSignal): Promise<string> => {
    await turns(TURNS / 2);
    return signal.aborted ? new Promise(() => undefined) : "text";
  };
  const platform: PlatformServices = {
    ...NO_SERVICES,
    clipboard: () => ({ read: later, write: async (_, signal) => void (await later(signal)) }),
    clipboardImages: () => ({
      read: (signal) => later(signal).then(() => PNG),
      write: async (_, signal) => void (await later(signal)),
    }),
    location: () => ({ find: (_, signal) => later(signal).then(() => BERLIN) }),
    notifications: () => ({ show: async (_, signal) => void (await later(signal)) }),
  };
  const { t } = createI18n("en");
  const notifying = {
    platform,
    folding: foldNotifications(() => 0),
    texts: () => t,
    wanted: () => true,
    label: () => null,
  };
  /** All that are no file tools, and not tried below or in `cancelled-programs.test.ts`. */
  const PLATFORM_TOOLS: Readonly<
    Record<
      Exclude<ToolName, FileToolName | "fetch_url" | "run_command">,
      readonly [Tool, ...calls: JsonObject[]]
    >
  > = {
    read_clipboard: [readClipboardTool(platform), {}, { format: "image" }],
    write_clipboard: [
      writeClipboardTool(platform),
      { text: "x" },
      { image: PNG.toString("base64") },
    ],
    get_location: [getLocationTool(platform), {}],
    send_notification: [sendNotificationTool(notifying), { title: "t", body: "b" }],
  };
  const PLATFORM_CALLS = Object.entries(PLATFORM_TOOLS).flatMap(([name, [tool, ...calls]]) =>
    calls.map((args) => [`${name} ${Object.keys(args).join()}`, tool, args] as const),
  );

  it.for(PLATFORM_CALLS)("%s", { timeout: 120_000 }, async ([, tool, args], ctx) => {
    if (process.platform !== "linux") return ctx.skip("needs /proc");
    const before = held();
    expectCancelled(await cancelMany({ tool, args: () => args, given: given() }));
    await expectHeld(before);
  });

  it("fetch_url, from a server that drips", { timeout: 120_000 }, async (ctx) => {
    if (process.platform !== "linux") return ctx.skip("needs /proc");
    await using server = await httpServer((response, { path }) => {
      if (path === "/whole") response.end("whole");
      else dripOn(response);
    });
    const before = held();
    const args = (kind: Kind) => ({ url: `${server.url}/${kind === "after" ? "whole" : "drip"}` });
    const tool = fetchUrlTool({ ownPorts: () => [] });
    const hosts = [{ host: "127.0.0.1", port: server.port }];
    expectCancelled(await cancelMany({ tool, args, given: { hosts } }));
    expect(server.connections()).toBeGreaterThan(CALLS / 20);
    await server.deserted();
    await expectHeld(before);
  });
});

function dripOn(response: ServerResponse): void {
  const drip = setInterval(() => response.write("x"), 1);
  response.once("close", () => clearInterval(drip));
}
