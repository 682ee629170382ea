import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { type IncomingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import { ManualTime } from "../../../app/contract/testing/manual-time.ts";
import type { DeliverFile, HostMemory } from "../../client/host-port.ts";
import type { UnlockedMs } from "../../dbus/screen-lock.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import type { NotificationHost } from "../../tools/platform/notification-programs.ts";
import { NO_SERVICES, type PlatformServices } from "../../tools/platform/platform-services.ts";
import { browserHostParts } from "../browser-host.ts";
import { type FakeProgram, fakeProgram } from "./fake-program.ts";
import { openPage, type TestPage } from "./test-page.ts";

export interface TestHost {
  readonly fake: FakeProgram;
  readonly time: ManualTime;
  readonly platform: PlatformServices;
  readonly deliverFile: DeliverFile;
  readonly port: number;
  readonly ui: string;
  /** Addresses opened in the person's browser. */
  readonly opened: readonly string[];
  /** Lines printed on the terminal. */
  readonly said: readonly string[];
  /** What the system's notification programs received to report clicks. */
  readonly system: NotificationHost;
  raise(): string;
  /** A page that was admitted. */
  enter(): Promise<TestPage>;
  ask(path: string, headers?: Record<string, string>, method?: string): Promise<Answer>;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Or "cut off". */
  readonly body: string;
}

export const tokenOf = (address: string): string => new URL(address).hash.slice("#token=".length);

/** Ends with the test. */
export async function startTestHost(
  options: { port?: number; unlockedMs?: UnlockedMs; memory?: HostMemory } = {},
): Promise<TestHost> {
  const folder = scratchFolder();
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), "<!doctype html><title>main</title>");
  await writeFile(join(folder, "assets", "main.js"), "export {};");
  const fake = fakeProgram();
  const time = new ManualTime();
  const opened: string[] = [];
  const said: string[] = [];
  let system: NotificationHost = { opened: () => {}, ended: new AbortController().signal };
  const parts = browserHostParts({
    port: options.port ?? 0,
    rendererDir: pathToFileURL(`${folder}/`),
    openBrowser: (url) => opened.push(url),
    random: randomBytes,
    say: (line) => said.push(line),
    scheduler: time,
    systemServices: (host) => {
      system = host;
      return NO_SERVICES;
    },
    screenLock: () => options.unlockedMs ?? (() => Number.POSITIVE_INFINITY),
  });
  routePageCalls(fake, parts.page);
  const { memory = fake.program.memory } = options;
  const host = await parts.start({ ...fake.program, memory });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= host.close());
  onTestFinished(close);
  const port = Number(new URL(host.ui).port);
  return {
    fake,
    time,
    platform: parts.platform,
    deliverFile: parts.deliverFile,
    port,
    ui: host.ui,
    opened,
    said,
    system,
    raise: () => host.raise(),
    async enter() {
      const page = await openPage(port);
      page.send({ type: "hello", token: tokenOf(host.raise()) });
      await page.next();
      return page;
    },
    ask(path, headers = {}, method = "GET") {
      return new Promise((resolve, reject) => {
        request({ host: "127.0.0.1", port, path, method, headers }, async (response) => {
          const body = await text(response).catch(() => "cut off");
          resolve({ status: response.statusCode, headers: response.headers, body });
        })
          .on("error", reject)
          .end();
      });
    },
    close,
  };
}

/** The handlers for pages; everything else is answered with null. */
function routePageCalls(
  fake: FakeProgram,
  page: ReturnType<typeof browserHostParts>["page"],
): void {
  fake.answerWith(({ name, args }) => {
    // The real program has already checked `args` against the call's schema.
    if (name === "page.abilities") page?.abilities(args as never);
    if (name === "page.attended") page?.attended(args as never);
    if (name === "page.answer") page?.answer(args as never);
    return { ok: true, result: null };
  });
}
