import { CATALOGUE, type CatalogueEntry, type ToolName } from "../../../app/contract/catalogue.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import type { FetchUrlArguments } from "../../../app/contract/tools/fetch-url.ts";
import { PROGRAMS } from "../../testing/built-programs.ts";
import { CommandHarness } from "../command/testing/command-harness.ts";
import { fetching } from "../fetch/testing/fetching.ts";
import { httpServer } from "../fetch/testing/local-server.ts";
import { createFileService } from "../files/file-service.ts";
import { FileHarness } from "../files/testing/file-harness.ts";
import { NO_SERVICES, type PlatformServices } from "../platform/platform-services.ts";
import { testPng } from "../platform/testing/test-png.ts";
import { testToolBox } from "./test-tool-box.ts";
import { rootAt, toolContext } from "./tool-context.ts";

export const PNG = testPng(2, 2);

/** A desktop that offers everything. */
export const DESKTOP = {
  ...NO_SERVICES,
  clipboard: () => ({ read: async () => "text", write: async () => undefined }),
  clipboardImages: () => ({ read: async () => PNG, write: async () => undefined }),
  notifications: () => ({ show: async () => undefined }),
  location: () => ({
    find: async () => ({
      ...{ latitude: 52.5, longitude: 13.4, accuracy_m: 10, timestamp: 0 },
      source: "geoclue",
    }),
  }),
} as const satisfies PlatformServices;

/** For tests: every tool as in the client, in its own harness, without a person to ask. */
export async function realTools() {
  const harness = new FileHarness();
  const commands = new CommandHarness({ probe: null });
  const workerUrl = PROGRAMS.fileWorker;
  const files = createFileService({ workerUrl, homeTrash: harness.beside("Trash") });
  const server = await httpServer((response, { path }) => {
    if (path === "/broken") response.destroy();
    else response.end(path === "/large" ? Buffer.alloc(1_000_000) : "hello");
  });

  async function run(
    name: ToolName,
    args: JsonObject,
    desktop: PlatformServices = DESKTOP,
    seen: string | null = null,
  ): Promise<unknown> {
    const entry = entryOf(name);
    if (!entry.acceptsArguments(args)) throw new TypeError(`${name} takes no such arguments`);
    if (name === "fetch_url") return fetching(args as unknown as FetchUrlArguments);
    if (name === "run_command") {
      return commands.tool.run(args, toolContext({ roots: commands.roots, seen }));
    }
    const roots = [rootAt(harness.root, "read_write")];
    const box = testToolBox({ files, platform: desktop });
    return box.tool(entry)?.run(args, toolContext({ roots, seen }));
  }

  return {
    harness,
    commands,
    server,
    run,
    async [Symbol.asyncDispose]() {
      await Promise.all([files.close(), server[Symbol.asyncDispose]()]);
      commands[Symbol.dispose]();
      harness.remove();
    },
  };
}

export function entryOf(name: ToolName): CatalogueEntry {
  const entry = CATALOGUE.get(name);
  if (entry === undefined) throw new TypeError(name);
  return entry;
}
