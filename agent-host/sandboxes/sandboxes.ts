import { errorKind } from "../../app/contract/coded-error.ts";
/** The result of a command. */
export interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** 128 + the signal number if a signal ended the command. */
  readonly exit_code: number;
}

export interface CommandOrder {
  /** A command line for bash. */
  readonly command: string;
  readonly signal: AbortSignal;
  /** Called with the command's output as it arrives. */
  onOutput?(text: string): void;
}

export interface NewSandbox {
  readonly id: string;
  /** When it is removed if it is not used until then. */
  readonly expiresAt: Date;
}

/** Where `bash` runs. A sandbox belongs to the key it was created with. */
export interface Sandboxes extends AsyncDisposable {
  /** @throws SandboxError `too_many_sandboxes`, `sandbox_unavailable` */
  create(owner: string): Promise<NewSandbox>;
  /** @throws SandboxError `sandbox_unknown`, `sandbox_unavailable`, `too_large`, `aborted` */
  run(owner: string, id: string, order: CommandOrder): Promise<CommandOutput>;
  /** @throws SandboxError `sandbox_unknown` */
  remove(owner: string, id: string): Promise<void>;
}

const SANDBOX_ERRORS = {
  sandbox_unknown: "There is no such sandbox, or it has expired.",
  sandbox_unavailable: "No sandbox can be had here now.",
  sandbox_full: "The sandbox held too much and was removed; make another one.",
  too_many_sandboxes: "This key has as many sandboxes as it may have; remove one.",
  too_large: "The command wrote too much; have it write less.",
  aborted: "The request ended before the command did.",
} as const;
export type SandboxErrorCode = keyof typeof SANDBOX_ERRORS;

export const sandboxError = errorKind<SandboxErrorCode>(
  "SandboxError",
  (code) => SANDBOX_ERRORS[code],
);

/** How long a sandbox stays after its last use, in milliseconds. */
export const SANDBOX_LIFE_MS = 30 * 60_000;
/** Maximum number of sandboxes per key at a time. */
export const SANDBOXES_PER_KEY = 10;
