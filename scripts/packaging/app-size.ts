import { globSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** Bytes that the app may add to Electron. On macOS it carries native code for two processors. */
const LIMIT = (process.platform === "darwin" ? 18 : 15) * 2 ** 20;

export interface AppSize {
  /** Folder of its resources, from `out`. */
  readonly app: string;
  readonly bytes: number;
  readonly limit: number;
}

/** What is ours in each app folder below `out`: the archive, what lies unpacked, and the licences. */
export function measureApp(out: string): readonly AppSize[] {
  return globSync("**/app.asar", { cwd: out }).map((archive) => {
    const resources = dirname(archive);
    const ours = globSync(["app*", "app.asar.unpacked/**", "THIRD-PARTY.txt"], {
      cwd: join(out, resources),
    });
    const sizes = ours
      .map((name) => statSync(join(out, resources, name)))
      .filter((stats) => stats.isFile())
      .map((stats) => stats.size);
    return { app: resources, bytes: sizes.reduce((sum, size) => sum + size, 0), limit: LIMIT };
  });
}
