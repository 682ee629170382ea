import { catalogueEntry } from "../catalogue.ts";
import { TAKE_BACK } from "../tool-call.ts";
import type { CallTarget, TargetedCall } from "./target.ts";
import { bare, NOTHING_MORE, onePath, quoted, type TargetOf } from "./targets.ts";

/** Of tools that only agents have. */
const OTHERS: ReadonlyMap<string, TargetOf> = new Map([
  ["edit_notebook", onePath("edit")],
  [TAKE_BACK, onePath("take_back")],
  [
    "apply_patch",
    (call) => {
      const [path, ...more] = Array.isArray(call.arguments.paths) ? call.arguments.paths : [];
      if (path === undefined || more.length > 0) return null;
      const target = onePath("edit")({ ...call, arguments: { path } });
      return target && { ...target, says: [] };
    },
  ],
  ["approve_plan", () => bare("approve_plan", ["plan"])],
  ["answer_question", () => bare("answer_question", ["questions"])],
  [
    "use_tool",
    (call) => {
      const text = quoted(call, "tool");
      const says = text?.whole === true ? ["tool"] : [];
      return text && { kind: "use_tool", parts: { text }, ...NOTHING_MORE, says };
    },
  ],
]);

/** What a call is about. */
export const callTarget = (call: TargetedCall): CallTarget =>
  (catalogueEntry(call.tool_name)?.target ?? OTHERS.get(call.tool_name))?.(call) ??
  bare("other", []);
