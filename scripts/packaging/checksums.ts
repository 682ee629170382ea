import { createHash } from "node:crypto";
import { createReadStream, globSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

/** What people download; the other files in the folder are the packager's own notes. */
const DOWNLOADS = ["*.AppImage", "*.deb", "*.rpm", "*.dmg", "*.zip", "*.exe", "*.cdx.json"];

/** A line for each download in the folder, as `sha256sum --check` reads them. */
export async function checksums(folder: string): Promise<string> {
  const lines = await Promise.all(
    globSync(DOWNLOADS, { cwd: folder }).map(async (name) => {
      const hash = createHash("sha256");
      await pipeline(createReadStream(join(folder, name)), hash);
      return `${hash.digest("hex")}  ${name}\n`;
    }),
  );
  return lines.sort().join("");
}
