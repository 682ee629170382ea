import type { BridgeErrorCode } from "../../../app/bridge/client-bridge.ts";
import type { ToolFailureWord } from "../../../app/contract/codes.ts";

/** Why what the person typed or picked is no folder for an agent; `word` is `resolveRoot`'s. */
export function rootFault(word: ToolFailureWord): BridgeErrorCode {
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
