import { type CodedError, errorKind } from "../../../app/contract/coded-error.ts";
import type { MessageSealing } from "../../../app/protocol/v1/message-sealing.ts";
import type { SendLimits } from "../../../hub/index.ts";
import type { OpenChannel } from "../../channels/channel.ts";
import type { Terminal } from "../../keys/index.ts";
import type { TimeSource } from "../time-source.ts";
import type { Flags } from "./flags.ts";

/** Our files that run in threads or processes of their own. */
export interface OwnPrograms {
  readonly schemaWorker: URL;
  readonly fileWorker: URL;
  readonly readerWorker: URL;
  readonly passwordWorker: URL;
  readonly lineWorker: URL;
  readonly sampleAgent: URL;
  /** The MCP server and the hook that other programs start. */
  readonly mcp: URL;
  readonly modelAgent: URL;
  readonly hook: URL;
}

/** @param distDir folder of the built program (`dist/main`) */
export const builtPrograms = (distDir: URL): OwnPrograms => ({
  schemaWorker: new URL("schema-worker.js", distDir),
  fileWorker: new URL("file-worker.js", distDir),
  readerWorker: new URL("reader-worker.js", distDir),
  passwordWorker: new URL("password-worker.js", distDir),
  lineWorker: new URL("line-worker.js", distDir),
  sampleAgent: new URL("../sample-agent/main.js", distDir),
  mcp: new URL("../../scripts/mcp.mjs", distDir),
  modelAgent: new URL("../model-agent/main.js", distDir),
  hook: new URL("../../scripts/hook.mjs", distDir),
});

export interface LaunchOptions {
  readonly flags: Flags;
  readonly time: TimeSource;
  readonly programs: OwnPrograms;
  /** A folder outside any data folder for the anchor; absent: there is none. */
  readonly anchorFolder?: string;
  /** Where clients on this computer keep their tokens: no agent's tool may look there. */
  readonly tokenFolder?: string;
  /** Where to ask for a passphrase; absent: it is not asked for. */
  readonly terminal?: Terminal;
  /** Where an administrator's policy is; absent: where the system has it. */
  readonly systemPolicy?: string;
  /** Replaces the hub's limits, for measurements and tests that send much. */
  readonly sendLimits?: SendLimits;
  /**
   * Replaces the person's, to measure the cost of encryption. No flag or setting can set it.
   */
  readonly sealing?: MessageSealing;
  /** Channels besides the hub's. */
  readonly channels?: readonly OpenChannel[];
  /** Ends the program in good order, as a signal does. */
  readonly quit: () => void;
  /** One line of JSON for programs that started us. */
  readonly stdout: (line: string) => void;
  /** Everything for people. */
  readonly stderr: (line: string) => void;
}

const HOST_ERRORS = [
  "port_in_use",
  "renderer_missing",
  "listen_failed",
  "store_unwritable",
] as const;
type HostErrorCode = (typeof HOST_ERRORS)[number];

/** Why a host could not start; the message is a sentence for the person who started it. */
export const hostError = errorKind<HostErrorCode>("HostError");
export type HostError = CodedError<HostErrorCode>;
