import { Buffer } from "node:buffer";
import type { Scheduler } from "../../app/execution/ports.ts";
import { startNodeProgram } from "../client/agents/shipped-program.ts";
import type { ClientProgram, HostMemory, HostParts, RunningHost } from "../client/host-port.ts";
import { readRendererFiles } from "../client/launch/renderer-files.ts";
import type { UnlockedMs } from "../dbus/screen-lock.ts";
import type { NotificationHost } from "../tools/platform/notification-programs.ts";
import {
  type ConversationPlace,
  firstAvailable,
  type PlatformServices,
} from "../tools/platform/platform-services.ts";
import { servePage } from "./bridge-connection.ts";
import { createDownloadTickets, createEntryKeys, type DownloadTickets } from "./entry-keys.ts";
import { type PageServer, startPageServer } from "./page-server.ts";
import { createPageServices, type PageServices } from "./page-services.ts";
import { tellWaiting } from "./tell-waiting.ts";

/** A tab without a session can have a page opened only so often: each link costs the oldest unused one its place. */
const REOPENED_AT_MOST_MS = 3_000;

export interface BrowserHostOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** Folder of the built renderer. */
  readonly rendererDir: URL;
  /** Null: the person opens the page. */
  readonly openBrowser: ((url: string) => void) | null;
  readonly random: (length: number) => Uint8Array;
  readonly scheduler: Scheduler;
  /** Prints a line for the person on the terminal. */
  readonly say: (line: string) => void;
  /** What this system can do without a page; asked before the page is. */
  readonly systemServices: (host: NotificationHost) => PlatformServices;
  /** Watches the screen lock until `signal` aborts. */
  readonly screenLock: (signal: AbortSignal) => UnlockedMs;
}

/** The host without Electron: the same renderer in the person's own browser, on loopback. */
export function browserHostParts(options: BrowserHostOptions): HostParts {
  const pages = createPageServices({
    newId: () => Buffer.from(options.random(16)).toString("base64url"),
    scheduler: options.scheduler,
  });
  const tickets = createDownloadTickets(options);
  const ended = new AbortController();
  let opened: NotificationHost["opened"] = () => {};
  const system = options.systemServices({ opened: (place) => opened(place), ended: ended.signal });
  return {
    kind: "browser",
    platform: firstAvailable([system, pages.services]),
    page: pages.handlers,
    deliverFile: tickets.deliver,
    node: process.execPath,
    startProgram: startNodeProgram,
    async start(program) {
      const { signal } = ended;
      const inside = { pages, tickets, program, system, signal };
      const { host, open } = await startHost(options, inside);
      opened = open;
      return {
        ...host,
        async close() {
          ended.abort();
          await host.close();
        },
      };
    },
  };
}

const LAST_PORT = "page_port";

/**
 * On the port of before, where any will do and it is free: tabs that outlived the program find it again.
 * @throws HostError
 */
async function onLastPort(
  wanted: number,
  memory: HostMemory,
  parts: Omit<Parameters<typeof startPageServer>[0], "port">,
): Promise<PageServer> {
  const last = wanted === 0 ? Number(memory.value(LAST_PORT) ?? 0) : wanted;
  const server = await startPageServer({ ...parts, port: last }).catch((error) => {
    if (wanted !== 0 || last === 0) throw error;
    return startPageServer({ ...parts, port: 0 });
  });
  if (server.port !== last) await memory.putValue(LAST_PORT, String(server.port)).catch(() => {});
  return server;
}

/** @throws HostError */
async function startHost(
  options: BrowserHostOptions,
  inside: {
    readonly pages: PageServices;
    readonly tickets: DownloadTickets;
    readonly program: ClientProgram;
    readonly system: PlatformServices;
    readonly signal: AbortSignal;
  },
): Promise<{ readonly host: RunningHost; readonly open: NotificationHost["opened"] }> {
  const { random, scheduler, openBrowser } = options;
  const { pages, tickets, program, system, signal } = inside;
  const files = await readRendererFiles(options.rendererDir);
  const keys = createEntryKeys({ random, scheduler });
  const inSightMs = options.screenLock(signal);
  const teller = tellWaiting({
    program,
    scheduler,
    notifications: system.notifications,
    // A token opens one page once, so the one printed before may be used up.
    say: () => options.say(`A request waits for your answer, and no page is open: ${address()}`),
    signal,
  });
  let mayOpen = true;
  const server = await onLastPort(options.port, program.memory, {
    files,
    tickets,
    open: () => {
      if (openBrowser === null || !mayOpen) return false;
      mayOpen = false;
      scheduler.after(REOPENED_AT_MOST_MS, () => {
        mayOpen = true;
      });
      openBrowser(address());
      return true;
    },
    onPage: (socket, wire) =>
      servePage(socket, wire, { program, keys, pages, teller, inSightMs, scheduler }),
  });
  // In the fragment, which browsers never send, not even to us.
  const address = (place: URLSearchParams | null = null) =>
    `http://127.0.0.1:${server.port}/#token=${keys.newToken()}${place === null ? "" : `&${place}`}`;
  const raise = () => {
    // A token opens one page: the browser gets another one than the person may still click.
    openBrowser?.(address());
    return address();
  };
  const host = {
    ui: raise(),
    raise,
    async close() {
      keys.close();
      tickets.close();
      await server.close();
    },
  };
  // No page can be brought to the front from here, so a new one opens at that conversation.
  const open = ({ agentId, conversationId }: ConversationPlace) =>
    openBrowser?.(address(new URLSearchParams({ agent: agentId, conversation: conversationId })));
  return { host, open };
}
