import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import Type from "typebox";
import { guardOf } from "../app/contract/checked.ts";
import { errorKind } from "../app/contract/coded-error.ts";
import { replaceOwnFile } from "../runtime/files/own-file.ts";

const KeyFile = Type.Object({
  keys: Type.Array(
    Type.Object({
      name: Type.String(),
      /** Lowercase hex SHA-256 of the key. 256 random bits need no slower hash. */
      sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
      created_at: Type.String(),
    }),
  ),
});
const isKeyFile = guardOf(KeyFile);
type StoredKey = Type.Static<typeof KeyFile>["keys"][number];

type KeyErrorCode = "name_taken" | "name_unknown" | "name_invalid" | "keys_unreadable";

export const keyError = errorKind<KeyErrorCode>("KeyError");

const digestOf = (key: string): string => createHash("sha256").update(key).digest("hex");

/** The Bearer keys of a host: names and digests, in one file of its data folder. */
export class KeyStore {
  readonly #file: string;

  constructor(dataDir: string) {
    this.#file = join(dataDir, "keys.json");
  }

  /** @returns the key, which is not stored anywhere. @throws KeyError */
  async add(name: string): Promise<string> {
    if (!/^[\w .-]{1,64}$/.test(name)) throw keyError("name_invalid");
    const keys = await this.list();
    if (keys.some((each) => each.name === name)) throw keyError("name_taken");
    const key = `ahk_${randomBytes(32).toString("base64url")}`;
    const created_at = new Date().toISOString();
    await this.#write([...keys, { name, sha256: digestOf(key), created_at }]);
    return key;
  }

  /** @throws KeyError */
  async remove(name: string): Promise<void> {
    const keys = await this.list();
    if (!keys.some((each) => each.name === name)) throw keyError("name_unknown");
    await this.#write(keys.filter((each) => each.name !== name));
  }

  /**
   * Reads the file at each use, so that added and removed keys take effect at once. @throws
   * KeyError
   */
  async list(): Promise<readonly StoredKey[]> {
    const value = readJson(this.#file);
    if (!isKeyFile(value)) throw keyError("keys_unreadable");
    return value.keys;
  }

  /** The name of the key, or null if it is unknown. @throws KeyError */
  async nameOf(key: string): Promise<string | null> {
    const sha256 = digestOf(key);
    // Digests are compared, so the time taken reveals nothing about a key.
    return (await this.list()).find((each) => each.sha256 === sha256)?.name ?? null;
  }

  async #write(keys: readonly StoredKey[]): Promise<void> {
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
    replaceOwnFile(this.#file, `${JSON.stringify({ keys }, null, 2)}\n`, true);
  }
}

/** In one go: through the thread pool a small file takes ten times as long, at each request. */
function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? { keys: [] } : undefined;
  }
}
