import type { ClientProgram, HostParts } from "../host-port.ts";
import { MemoryPlatform } from "./memory-platform.ts";

/** A program that the client started. */
interface Started {
  readonly args: readonly string[];
  readonly exit: (code: number | null) => void;
  readonly said: (message: unknown) => void;
  readonly told: object[];
  ended: boolean;
}

/** A host in memory, which records what the client did through it. */
export class MemoryHost {
  readonly platform = new MemoryPlatform();
  readonly started: Started[] = [];
  /** Files that the person saved, as UTF-8. */
  readonly delivered: { readonly name: string; readonly text: string }[] = [];
  #program: ClientProgram | undefined;

  get program(): ClientProgram {
    if (this.#program === undefined) throw new Error("the program does not run");
    return this.#program;
  }

  parts(more: Partial<HostParts>): HostParts {
    return {
      kind: "browser",
      ...more,
      platform: this.platform,
      page: null,
      deliverFile: async ({ name, open }) => {
        const bytes: Uint8Array[] = [];
        for await (const part of open(new AbortController().signal)) bytes.push(part);
        this.delivered.push({ name, text: Buffer.concat(bytes).toString("utf8") });
        return { kind: "saved" };
      },
      node: process.execPath,
      startProgram: (_, args, { exited, said }) => {
        const run: Started = { args, exit: exited, said, told: [], ended: false };
        this.started.push(run);
        return {
          tell: (message) => void run.told.push(message),
          end() {
            run.ended = true;
            exited(null);
          },
        };
      },
      start: async (program) => {
        this.#program = program;
        return { ui: "memory:", raise: () => "memory:", close: async () => {} };
      },
    };
  }
}
