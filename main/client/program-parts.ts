import type { CallHandlers } from "../../app/bridge/register-calls.ts";
import type { ArgumentsValidator, ToolBox } from "../../app/execution/ports.ts";
import type { MessageSealing } from "../../app/protocol/v1/message-sealing.ts";
import type { Hub } from "../../hub/index.ts";
import type { CallIntake, OpenChannel } from "../channels/channel.ts";
import type { AppConnections } from "../connected-apps/app-connections.ts";
import type { HostKey, SecretSealing } from "../keys/index.ts";
import type { FoundPolicy } from "../policy/system-policy.ts";
import type { BoundedValidator } from "../schemas/bounded-validator.ts";
import type { Store } from "../storage/index.ts";
import type { Folding } from "../tools/platform/notification-fold.ts";
import type { FolderPicker } from "../tools/platform/platform-services.ts";
import type { AgentNaming, Petnames } from "./agents/agent-naming.ts";
import type { ClientProgram, HostParts } from "./host-port.ts";
import type { PersonEncryption } from "./keys/person-encryption.ts";
import type { TimeSource } from "./time-source.ts";

/** What a host provides of it. */
type PartsOfHost = Pick<
  HostParts,
  | "kind"
  | "page"
  | "deliverFile"
  | "microphone"
  | "requestsWindow"
  | "loginStart"
  | "updates"
  | "startProgram"
>;

/** A hub elsewhere, and what lets the person in the first time. */
export interface HubLink {
  /** Its origin. */
  readonly url: string;
  readonly invitation: string | undefined;
}

/** The hub that the person is at, which they may change. */
export interface ChangingHub extends Hub {
  /** It is the program's own. */
  readonly isOwn: boolean;
  /** Why a hub elsewhere does not let this device in, as a code; null: it does, as far as is known. */
  readonly fault: string | null;
  /** Replaces the listener. */
  hear(changed: () => void): void;
  /** @param link null: the program's own @throws HubError */
  reach(link: HubLink | null): Promise<Hub>;
  /** @param hub as `reach` gave it */
  become(hub: Hub): Promise<void>;
}

export interface ProgramParts extends PartsOfHost {
  readonly version: string;
  readonly dataDir: string;
  readonly time: TimeSource;
  readonly store: Store;
  readonly hub: ChangingHub;
  readonly hostKey: HostKey;
  readonly secrets: SecretSealing;
  readonly end: PersonEncryption;
  /** How messages become envelopes. */
  readonly sealing: MessageSealing;
  readonly petnames: Petnames;
  readonly naming: AgentNaming;
  readonly tools: ToolBox;
  readonly snapshots: CallIntake["snapshots"];
  /** What the person takes back of what agents changed. */
  readonly takeBack: {
    readonly look: CallHandlers["changes.look"];
    readonly take: CallHandlers["changes.take_back"];
    /** Nothing can be taken back any more. */
    forget(): Promise<void>;
  };
  /** Which notifications are only counted. */
  readonly folding: Folding;
  readonly validator: ArgumentsValidator;
  /** Why a manifest's schema cannot be used; empty when it compiles. */
  readonly checkSchema: BoundedValidator["check"];
  readonly policy: FoundPolicy;
  /** Ends the program and then deletes its data. */
  readonly removeData: () => void;
  readonly folderPicker: () => FolderPicker | null;
  /** Channels besides the hub's. */
  readonly channels: readonly OpenChannel[];
  /** Other programs' configurations. What reads and writes them is loaded when it is first asked for. */
  readonly apps: () => Promise<AppConnections>;
  /** Our agents, as scripts. */
  readonly shipped: { readonly sampleAgent: URL; readonly modelAgent: URL };
  /** Reports an internal error by name and code, never with received content. */
  readonly report: (error: unknown) => void;
}

export interface Program extends ClientProgram {
  /** Accepts calls from now on. */
  open(): void;
  /** Ends waiting requests without answering them, and everything that runs. */
  close(): Promise<void>;
}

/** An address or an invitation; over a network only with TLS. Null: it is neither. */
export function hubLinkIn(text: string): HubLink | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLocal = url?.protocol === "http:" && /^(?:127\.0\.0\.1|localhost)$/.test(url.hostname);
  const [, invitation] = /^(?:#(hsi_[0-9A-Za-z]{40}))?$/.exec(url?.hash ?? "") ?? [null, null];
  const isPlain = url !== null && `${url.origin}/` === `${url.href.split("#")[0]}`;
  if (!isPlain || invitation === null || !(isLocal || url.protocol === "https:")) return null;
  return { url: url.origin, invitation };
}
