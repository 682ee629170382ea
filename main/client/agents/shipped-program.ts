import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { bridgeError } from "../../../app/bridge/client-bridge.ts";

/** What is heard of a program that was started. */
interface ProgramListener {
  exited(code: number | null): void;
  said(message: unknown): void;
}

interface StartedProgram {
  /** Over a line of its own, which no other program can read. */
  tell(message: object): void;
  end(): void;
}

/** Starts another of our programs. */
export type StartProgram = (
  script: URL,
  args: readonly string[],
  listener: ProgramListener,
) => StartedProgram;

/** In a Node host: another process on the same Node. */
export const startNodeProgram: StartProgram = (script, args, { exited, said }) => {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.once("error", () => exited(null));
  child.once("exit", (code) => exited(code));
  child.on("message", said);
  return {
    // It may have ended; its exit is told by itself.
    tell: (message) => void child.send(message, () => {}),
    end: () => void child.kill(),
  };
};

export interface ShippedProgramPorts {
  readonly script: URL;
  readonly start: StartProgram;
  readonly changed: () => void;
  /** It ended by itself, before it had finished. */
  readonly failed: (code: number | null) => void;
  readonly said?: (message: unknown) => void;
}

interface Run {
  readonly program: StartedProgram;
  readonly over: Promise<void>;
}

/** An agent that comes with Consentry, started and stopped by the person: to the hub one like any other. */
export class ShippedProgram {
  readonly #ports: ShippedProgramPorts;
  #run: Run | null = null;

  constructor(ports: ShippedProgramPorts) {
    this.#ports = ports;
  }

  get isRunning(): boolean {
    return this.#run !== null;
  }

  /** @throws BridgeError `already_running` */
  start(args: readonly string[], order?: object): void {
    if (this.#run !== null) throw bridgeError("already_running");
    const { script, start, changed, failed, said = () => {} } = this.#ports;
    const over = Promise.withResolvers<void>();
    const run: Run = {
      over: over.promise,
      program: start(script, args, {
        exited: (code) => {
          over.resolve();
          if (this.#run !== run) return;
          this.#run = null;
          changed();
          if (code !== 0) failed(code);
        },
        said: (message) => {
          if (this.#run === run) said(message);
        },
      }),
    };
    this.#run = run;
    if (order !== undefined) this.tell(order);
    changed();
  }

  /** Does nothing where it is not running. */
  tell(message: object): void {
    this.#run?.program.tell(message);
  }

  /** Resolves when it has ended: two must not use the same keys. */
  async stop(): Promise<void> {
    const run = this.#run;
    if (run === null) return;
    this.#run = null;
    run.program.end();
    this.#ports.changed();
    await run.over;
  }
}
