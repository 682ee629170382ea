import { homedir } from "node:os";
import { type PathPlatform, pathPlatform } from "../files/paths/path-rules.ts";
import { programFolders } from "./fixed-path.ts";

/** Fixed facts about the computer that commands run on. */
export interface Machine {
  readonly platform: PathPlatform;
  /** Our own environment, little of which is passed on. */
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly folders: readonly string[];
}

export function thisMachine(): Machine {
  const platform = pathPlatform(process.platform);
  const { env } = process;
  return { platform, env, home: homedir(), folders: programFolders(platform, env) };
}
