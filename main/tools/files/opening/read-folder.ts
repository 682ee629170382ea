import { type Dirent, opendirSync } from "node:fs";
import { ToolFailure } from "../../../../app/execution/ports.ts";

/**
 * A folder's entries one by one, so that a folder of millions never fills the memory; closed when
 * the loop over it ends. Names are bytes, because they need not be UTF-8.
 */
export function* readFolder(path: string): Generator<readonly [entry: Dirent, name: Buffer]> {
  // Node's types allow only text encodings here; with "buffer" every name is a Buffer.
  const directory = opendirSync(path, { encoding: "buffer" as BufferEncoding, bufferSize: 512 });
  try {
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      const name: unknown = entry.name;
      if (!Buffer.isBuffer(name)) throw new ToolFailure("internal_error");
      yield [entry, name];
    }
  } finally {
    directory.closeSync();
  }
}
