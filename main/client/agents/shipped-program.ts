import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { BridgeError } from "../../../app/bridge/client-bridge.ts";
import type { Snapshot } from "../../../app/bridge/views.ts";

/** Starts another of our programs; the returned function ends it. */
export type StartProgram = (
  script: URL,
  args: readonly string[],
  onExit: (code: number | null) => void,
) => () => void;

/** In a Node host: another process on the same Node. */
export const startNodeProgram: StartProgram = (script, args, onExit) => {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], { stdio: "ignore" });
  child.once("error", () => onExit(null));
  child.once("exit", (code) => onExit(code));
  return () => child.kill();
};

export interface SampleAgentPorts {
  readonly script: URL;
  readonly hubUrl: string;
  readonly start: StartProgram;
  readonly changed: () => void;
  /** It ended before it had finished. */
  readonly failed: () => void;
}

/** The sample agent as the first-run page starts it: an ordinary agent that knows the hub's address. */
export class SampleAgent {
  readonly #ports: SampleAgentPorts;
  #end: (() => void) | null = null;

  constructor(ports: SampleAgentPorts) {
    this.#ports = ports;
  }

  get state(): Snapshot["sample_agent"] {
    return this.#end === null ? "idle" : "running";
  }

  /** @throws BridgeError `already_running` */
  start(): void {
    if (this.#end !== null) throw new BridgeError("already_running");
    const { script, hubUrl, start, changed, failed } = this.#ports;
    this.#end = start(script, ["--hub", hubUrl], (code) => {
      const wasStopped = this.#end === null;
      this.#end = null;
      changed();
      if (code !== 0 && !wasStopped) failed();
    });
    changed();
  }

  stop(): void {
    const end = this.#end;
    this.#end = null;
    end?.();
  }
}
