import { realpathSync, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { ToolFailure } from "../../../app/execution/ports.ts";
import { refuseWhileLinked } from "../files/paths/own-data.ts";

/** The data folder, and what else is ours. */
export type OwnFolders = readonly [dataDir: string, ...others: string[]];

/** Our own folders, which no command may see: where they are, and whether they are still there. */
export class OwnFoldersGuard {
  /** Without a link in it. */
  readonly dataDir: string;
  /** All of them, likewise. */
  readonly paths: readonly string[];
  readonly #identities: readonly string[];

  /** Looks now, before any command ran. Throws what the file system throws. */
  constructor([dataDir, ...others]: OwnFolders) {
    this.dataDir = realpathSync.native(dataDir);
    this.paths = [this.dataDir, ...others.map((folder) => realpathSync.native(folder))];
    this.#identities = this.paths.map((path) => identityOf(statSync(path, { bigint: true })));
  }

  /**
   * Nothing runs once one was moved: a sandbox would hide the place where it was. Nor while a file
   * in one has another name: a sandbox hides places, and not what stands elsewhere besides.
   * @throws ToolFailure `io_error`, `own_data_linked`
   */
  async check(): Promise<void> {
    for (const [index, path] of this.paths.entries()) {
      const now = await stat(path, { bigint: true }).catch(() => null);
      if (now === null || identityOf(now) !== this.#identities[index]) {
        throw new ToolFailure("io_error");
      }
    }
    refuseWhileLinked(this.paths.map((path) => ({ path })));
  }
}

const identityOf = ({ dev, ino }: { dev: bigint; ino: bigint }): string => `${dev}:${ino}`;
