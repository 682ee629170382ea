import { CATALOGUE } from "../../app/contract/catalogue.ts";
import { manifestFor, type ToolName } from "../../sdk/index.ts";

/** Every tool that Consentry has. Which of them it may use, the person decides. */
export const manifest = manifestFor([...CATALOGUE.keys()] as ToolName[], {
  name: "agent",
  version: "1.0.0",
  flags: { supports_artifacts: true, supports_streaming: true },
});
