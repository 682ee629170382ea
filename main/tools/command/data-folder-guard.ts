import { realpathSync, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { ToolFailure } from "../../../app/execution/ports.ts";

/** Our own data, which no command may see: where it is, and whether it is still there. */
export class DataFolderGuard {
  /** Without a link in it. */
  readonly path: string;
  readonly #identity: string;

  /** Looks now, before any command ran. Throws what the file system throws. */
  constructor(dataDir: string) {
    this.path = realpathSync.native(dataDir);
    this.#identity = identityOf(statSync(this.path, { bigint: true }));
  }

  /**
   * Nothing runs once the folder was moved: a sandbox would hide the place where it was.
   * @throws ToolFailure `io_error`
   */
  async check(): Promise<void> {
    const now = await stat(this.path, { bigint: true }).catch(() => null);
    if (now === null || identityOf(now) !== this.#identity) throw new ToolFailure("io_error");
  }
}

const identityOf = ({ dev, ino }: { dev: bigint; ino: bigint }): string => `${dev}:${ino}`;
