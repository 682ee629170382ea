import { accessSync, constants, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { agentFolder } from "./agent-key-file.ts";
import { createOwnFile, makeOwnFolder, readOwnFile, replaceOwnFile } from "./own-file.ts";

const FILE_BYTES = 1_048_576;

/**
 * Where an agent's credentials are stored: `~/.hashee/<name>/credentials.json`, 0600 in a folder 0700.
 * All of it throws OwnFileError, or what the file system throws.
 */
export class AgentCredentialsFile {
  readonly path: string;

  constructor(name: string, home?: string) {
    this.path = join(agentFolder(name, home), "credentials.json");
  }

  get exists(): boolean {
    return existsSync(this.path);
  }

  /** Null if there is none. */
  read(): string | null {
    const bytes = readOwnFile(this.path, FILE_BYTES);
    return bytes && new TextDecoder().decode(bytes);
  }

  /** Makes the folder, and finds out whether a file can be made in it. */
  prepare(): void {
    makeOwnFolder(dirname(this.path));
    accessSync(dirname(this.path), constants.W_OK);
  }

  /** Fails if the file exists, unless it replaces it. */
  write(text: string, replaces: boolean): void {
    if (replaces) replaceOwnFile(this.path, text, true);
    else createOwnFile(this.path, text);
  }
}
