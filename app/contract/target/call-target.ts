import { catalogueEntry } from "../catalogue.ts";
import type { CallTarget, TargetedCall } from "./target.ts";
import { bare } from "./targets.ts";

/** What a call is about. */
export const callTarget = (call: TargetedCall): CallTarget =>
  catalogueEntry(call.tool_name)?.target(call) ?? bare("other", []);
