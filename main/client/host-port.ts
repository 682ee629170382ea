import type { CallArgs } from "../../app/bridge/calls.ts";
import type { CallReply } from "../../app/bridge/client-bridge.ts";
import type { EventName, Events } from "../../app/bridge/events.ts";
import type { IncomingBridgeCall } from "../../app/bridge/register-calls.ts";
import type { FileDelivery, Notice } from "../../app/bridge/views.ts";
import type { KeyVault } from "../keys/index.ts";
import type { PlatformServices } from "../tools/platform/platform-services.ts";
import type { StartProgram } from "./agents/sample-agent.ts";

/** The running client as a host sees it: a door for renderers, and nothing of the inside. */
export interface ClientProgram {
  readonly hubUrl: string;
  readonly dataDir: string;
  readonly version: string;
  /** Every renderer's call goes through here: sender, window, schema, handler. */
  answer(incoming: IncomingBridgeCall): Promise<CallReply>;
  /** Every event for renderers, until `signal` aborts. */
  subscribe(listener: ProgramListener, signal: AbortSignal): void;
  /** How many requests wait for the person; a host brings its consent window up when it rises. */
  waiting(): number;
  notify(notice: Notice): void;
  readonly memory: HostMemory;
}

/** Small values a host keeps from one start to the next, by names of its own. */
export interface HostMemory {
  value(name: string): string | undefined;
  /** Resolves once durable. */
  putValue(name: string, value: string): Promise<void>;
}

/** Whether the system starts the program when the person logs in. The system's own word counts. */
export interface LoginStart {
  isOn(): boolean;
  /** Rejects when the system does not take it. */
  set(on: boolean): Promise<void>;
}

export type ProgramListener = <E extends EventName>(name: E, event: Events[E]) => void;

/** What only a page in a browser can do, asked of it and answered by it. */
export interface PageHandlers {
  answer(args: CallArgs<"page.answer">): void;
  abilities(args: CallArgs<"page.abilities">): void;
}

/** A file of ours for the person to keep. */
export interface OutgoingFile {
  /** Letters, digits, dots and hyphens. */
  readonly name: string;
  readonly mediaType: string;
  /** Its bytes, read as they are taken. */
  open(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/** How a host gets a file to the person. */
export type DeliverFile = (file: OutgoingFile) => Promise<FileDelivery>;

/** What a host brings along before the program starts. */
export interface HostParts {
  readonly kind: "desktop" | "browser";
  readonly platform: PlatformServices;
  /** Null where no page serves the host (desktop). */
  readonly page: PageHandlers | null;
  readonly deliverFile: DeliverFile;
  /** The system's key store; absent: this host has none. */
  readonly keyVault?: KeyVault;
  /** Absent: it cannot be arranged here. */
  readonly loginStart?: LoginStart;
  /** Runs one of our own programs beside this one. */
  readonly startProgram: StartProgram;
  start(program: ClientProgram): Promise<RunningHost>;
}

export interface RunningHost {
  /** The address of the UI, as the ready line gives it. */
  readonly ui: string;
  /** Brings the UI to the person: a second start asks for it. Returns the address to open. */
  raise(): string;
  close(): Promise<void>;
}
