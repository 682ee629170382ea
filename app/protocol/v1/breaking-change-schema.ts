import Type from "typebox";
import { BREAKING_KINDS } from "../../contract/manifest.ts";

/** Of `BreakingChange`. */
export const BreakingChangeSchema = Type.Object({
  pointer: Type.String(),
  kind: Type.Enum([...BREAKING_KINDS]),
  breaking: Type.Literal(true),
  scope: Type.String(),
  tool: Type.Union([Type.String(), Type.Null()]),
});
