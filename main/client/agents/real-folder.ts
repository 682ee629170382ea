import { type BridgeErrorCode, bridgeError } from "../../../app/bridge/client-bridge.ts";
import type { ToolFailureWord } from "../../../app/contract/codes.ts";
import { folderAbove, namesIn, separatorOf } from "../../../app/contract/folder-path.ts";
import type { Root } from "../../../app/grants/grant.ts";
import { resolveRoot } from "../../tools/files/paths/choose-root.ts";

/**
 * The folder that the person means, with every link resolved.
 * @throws BridgeError as `rootFault`
 */
export async function realFolder(typed: string): Promise<Pick<Root, "path" | "link">> {
  const resolved = await resolveRoot(typed);
  if (!("path" in resolved)) throw bridgeError(rootFault(resolved.word));
  return resolved;
}

/**
 * A file that may not exist yet, in its folder with every link resolved.
 * @param file null where no single file would do
 * @throws BridgeError `not_offered`, and as `rootFault`
 */
export async function realFile(file: string | null): Promise<string> {
  const folder = file === null ? null : folderAbove(file);
  if (file === null || folder === null) throw bridgeError("not_offered");
  const { path } = await realFolder(folder);
  return `${path}${separatorOf(file)}${namesIn(file).at(-1)}`;
}

/** Why what the person typed or picked is no folder for an agent; `word` is `resolveRoot`'s. */
function rootFault(word: ToolFailureWord): BridgeErrorCode {
  switch (word) {
    case "not_found":
      return "root_missing";
    case "not_a_directory":
      return "root_not_folder";
    case "invalid_path":
      return "root_path_unusable";
    default:
      return "root_refused";
  }
}
