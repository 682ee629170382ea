import type { CallArgs } from "../../../../app/bridge/calls.ts";
import type { ImportStep } from "../../../../app/bridge/own-data-calls.ts";
import { ImportCheck } from "./import-check.ts";
import { ImportError } from "./import-reader.ts";
import { type ImportPorts, ImportTaking } from "./import-taking.ts";

type Part = CallArgs<"data.import_check">;

/**
 * Takes an exported file over (docs/own-data.md), which the page sends twice: first it is checked to its end
 * and nothing changes; then each part must be the one that was checked. Neither memory nor disk ever
 * holds the whole. What it says of permissions becomes a list to choose from, and grants nothing.
 */
export class Imports {
  readonly #ports: ImportPorts;
  #check: ImportCheck | null = null;
  #taking: ImportTaking | null = null;

  constructor(ports: ImportPorts) {
    this.#ports = ports;
  }

  check({ number, bytes, last }: Part): Promise<ImportStep> {
    return stepOf(async () => {
      if (number === 0) this.#check = new ImportCheck(new Set(this.#ports.conversations.ids()));
      if (this.#check?.isNext(number) !== true) throw new ImportError("file_changed", 1);
      return this.#check.take(Buffer.from(bytes, "base64"), last);
    });
  }

  /** @throws StoreError */
  take({ number, bytes, last }: Part): Promise<ImportStep> {
    return stepOf(async () => {
      const check = this.#check;
      if (number === 0) {
        this.#taking = check?.isWhole === true ? new ImportTaking(this.#ports, check) : null;
      }
      if (this.#taking === null) throw new ImportError("file_changed", 1);
      const done = await this.#taking.take(number, Buffer.from(bytes, "base64"), last);
      if (!done) return { kind: "more" };
      this.#taking = this.#check = null;
      this.#ports.changed();
      return { kind: "taken" };
    });
  }
}

async function stepOf(work: () => Promise<ImportStep>): Promise<ImportStep> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ImportError) return error.step;
    throw error;
  }
}
