import { realpathSync, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { ToolFailure } from "../../../app/execution/ports.ts";
import { refuseWhileLinked } from "../files/paths/own-data.ts";

/** The data folder, followed by our other folders. */
export type OwnFolders = readonly [dataDir: string, ...others: string[]];

/** Our own folders, which no command may see: where they are, and whether they are still there. */
export class OwnFoldersGuard {
  /** With every link resolved. */
  readonly dataDir: string;
  /** All of them, with every link resolved. */
  readonly paths: readonly string[];
  readonly #identities: readonly string[];

  /** Reads the folders now, before any command has run. Throws the file system's errors. */
  constructor([dataDir, ...others]: OwnFolders) {
    this.dataDir = realpathSync.native(dataDir);
    this.paths = [this.dataDir, ...others.map((folder) => realpathSync.native(folder))];
    this.#identities = this.paths.map((path) => identityOf(statSync(path, { bigint: true })));
  }

  /**
   * No command runs after one of our folders was moved: a sandbox would hide only its old place.
   * Nor while a file in one of them has a second name: a sandbox hides places, so it would be
   * visible under that name.
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
