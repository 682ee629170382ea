import type { FileDelivery } from "../../app/bridge/call-shape.ts";
import type { CallArgs } from "../../app/bridge/calls.ts";
import type { CallReply } from "../../app/bridge/client-bridge.ts";
import type { AppPart } from "../../app/bridge/connected-apps.ts";
import type { EventName, Events } from "../../app/bridge/events.ts";
import type { IncomingBridgeCall } from "../../app/bridge/register-calls.ts";
import type { Notice, UpdatesView } from "../../app/bridge/views.ts";
import type { Settings } from "../../app/contract/settings.ts";
import type { Scheduler } from "../../app/execution/ports.ts";
import type { KeyVault } from "../keys/index.ts";
import type { PlatformServices } from "../tools/platform/platform-services.ts";
import type { StartProgram } from "./agents/shipped-program.ts";

/** The running client as a host sees it: access for renderers, and no internals. */
export interface ClientProgram {
  /** Every renderer's call goes through here: sender, window, schema, handler. */
  answer(incoming: IncomingBridgeCall): Promise<CallReply>;
  /** Every event for renderers, until `signal` aborts. */
  subscribe(listener: ProgramListener, signal: AbortSignal): void;
  /** How many requests wait for the person; a host shows its consent window when it rises. */
  waiting(): number;
  /** How many of those that were denied can still be put back; such a window stays for them. */
  held(): number;
  notify(notice: Notice): void;
  /** The cause of a notice is gone. */
  settle(code: Notice["code"]): void;
  readonly memory: HostMemory;
}

/** Small values that a host keeps across restarts, by names of its own. */
export interface HostMemory {
  value(name: string): string | undefined;
  /** Resolves once durable. */
  putValue(name: string, value: string): Promise<void>;
}

/** Whether the system starts the program when the person logs in, as the system reports it. */
export interface LoginStart {
  isOn(): boolean;
  /** Rejects when the system refuses it. */
  set(on: boolean): Promise<void>;
}

/** Keeps the program itself up to date. */
export interface OwnUpdates {
  view(): UpdatesView;
  /** The person wants it looked for now, or says otherwise what they want. */
  look(): void;
  /** Looks for updates from now on, until `signal` aborts. */
  follow(program: UpdatesProgram, signal: AbortSignal): void;
}

/** The program as far as its own updates go. */
export interface UpdatesProgram {
  readonly settings: () => Pick<Settings, "updates" | "update_channel">;
  readonly memory: HostMemory;
  readonly scheduler: Scheduler;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly changed: () => void;
}

/** Watches whether a new version of the program starts. */
export interface StartGuard {
  /**
   * To be called before anything is opened. False: the version before is put back, and starts as soon as this
   * process has ended.
   */
  begin(): boolean;
  /** The program runs. */
  ready(): void;
  /** The version that was given up; null: none, or the person knows. */
  readonly gaveUp: string | null;
}

export type ProgramListener = <E extends EventName>(name: E, event: Events[E]) => void;

/** Requests to a page in a browser, for what only it can do. */
export interface PageHandlers {
  answer(args: CallArgs<"page.answer">): void;
  abilities(args: CallArgs<"page.abilities">): void;
  attended(args: CallArgs<"page.attended">): void;
}

/** A file for the person to save. */
export interface OutgoingFile {
  /** Letters and digits of any script, dots, hyphens and underscores. */
  readonly name: string;
  readonly mediaType: string;
  /** Its bytes, read while they are being written. */
  open(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/** How a host gets a file to the person. @throws BridgeError `file_unwritable`, as a rejection */
export type DeliverFile = (file: OutgoingFile) => Promise<FileDelivery>;

/** The microphone, as far as the host itself decides who gets it. */
export interface Microphone {
  /** Our main page gets it when it asks within this time; milliseconds. */
  open(ms: number): void;
  close(): void;
}

/** The window of requests, where they have one of their own. */
export interface RequestsWindow {
  /** Shows what waits, if anything does. */
  show(): void;
  /** Closes it; what waits stays waiting. */
  putOff(): void;
}

/** What a host provides before the program starts. */
export interface HostParts {
  readonly kind: "desktop" | "browser";
  readonly platform: PlatformServices;
  /** Null where no page serves the host (desktop). */
  readonly page: PageHandlers | null;
  readonly deliverFile: DeliverFile;
  /** Absent: the browser decides, and asks the person. */
  readonly microphone?: Microphone;
  /** Absent: the page shows requests itself. */
  readonly requestsWindow?: RequestsWindow;
  /** The system's key store; absent: this host has none. */
  readonly keyVault?: KeyVault;
  /** Absent: it cannot be arranged here. */
  readonly loginStart?: LoginStart;
  /** Absent: somebody else updates this program. */
  readonly updates?: OwnUpdates;
  /** @param dataDir where it may keep files; called once nobody else uses it */
  readonly startGuard?: (dataDir: string) => StartGuard;
  /** The Node with which other programs start ours. */
  readonly node: string;
  /** What starts this very program for them, with `mcp` or `hook`; absent: they start ours with Node. */
  readonly ownCommand?: (
    dataDir: string,
    part: AppPart,
  ) => readonly [program: string, ...args: readonly string[]];
  /** Runs another of our programs. */
  readonly startProgram: StartProgram;
  start(program: ClientProgram): Promise<RunningHost>;
}

export interface RunningHost {
  /** The address of the UI, as in the ready line. */
  readonly ui: string;
  /**
   * Shows the UI, as a second start asks for it. Returns the address to open.
   * @param link what the system was asked to open, unchecked; a host without windows takes none
   */
  raise(link?: string | null): string;
  close(): Promise<void>;
}
