import { execFile } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { BundledProgram } from "./bundle-program.ts";
import { type Fault, FaultControl } from "./fault-control.ts";
import type { FaultOrder, FaultReport } from "./fault-lines.ts";
import type { FaultStart } from "./fault-starts.ts";
import { judge } from "./judge-faults.ts";

/** What one run of the subject contributes to the counts. */
export interface PointEnd {
  readonly report: FaultReport | null;
  readonly seen: number;
  readonly injected: number;
  readonly fault: string | null;
}

/** Runs the subject on its own folder, and checks what it left. */
export class FaultBench {
  readonly #folder: string;
  readonly #program: BundledProgram;
  readonly #shim: string;

  constructor(folder: string, program: BundledProgram, shim: string) {
    this.#folder = folder;
    this.#program = program;
    this.#shim = shim;
  }

  /** @param fault null: the disk works */
  async run(start: FaultStart, fault: Fault | null): Promise<PointEnd> {
    const dataDir = join(this.#folder, "data");
    rmSync(dataDir, { recursive: true, force: true });
    if (start.template !== null) cpSync(start.template, dataDir, { recursive: true });
    const control = new FaultControl(join(this.#folder, "control"));
    control.reset();
    if (fault !== null) control.arm(fault);
    try {
      const report = await this.#subject({ dataDir, control: control.path, wall: start.wall });
      const counts = { seen: control.seen, injected: control.injected };
      await judge(dataDir, start, report);
      return { report, ...counts, fault: null };
    } catch (error) {
      // The last part of a failed process's message is its error.
      const said = error instanceof Error ? `${error.name} ${error.message.slice(-1_500)}` : "?";
      return { report: null, seen: control.seen, injected: control.injected, fault: said };
    }
  }

  async #subject(order: FaultOrder): Promise<FaultReport> {
    const { file, environment } = this.#program;
    const { stdout } = await promisify(execFile)(process.execPath, [file, JSON.stringify(order)], {
      env: {
        ...process.env,
        ...environment,
        LD_PRELOAD: this.#shim,
        CONSENTRY_FAULT_FOLDER: order.dataDir,
        CONSENTRY_FAULT_CONTROL: order.control,
      },
    });
    return JSON.parse(stdout);
  }
}
