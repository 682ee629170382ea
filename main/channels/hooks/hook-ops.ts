import Type from "typebox";
import type { JsonObject } from "../../../app/contract/json.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import { CARRIED_OUT } from "../../../app/contract/tool-call.ts";
import { checked, type LocalOps } from "../local/local-call.ts";
import type { HookDesk } from "./hook-desk.ts";

/** The name of the hooks' socket in the data folder. */
export const HOOK_SOCKET = "hooks";

const closed = { additionalProperties: false } as const;
const Name = Type.String({ minLength: 1, maxLength: LIMITS.callIdChars });

const about = {
  use: Type.Union([Name, Type.Null()]),
  tool: Name,
  arguments: Type.Unsafe<JsonObject>(Type.Object({})),
};
const DecideArgs = Type.Object(about, closed);

const ReportArgs = Type.Object(
  {
    ...about,
    status: Type.Enum(CARRIED_OUT),
    result_digest: Type.Union([Type.Null(), Type.String({ pattern: "^[0-9a-f]{64}$" })]),
  },
  closed,
);

/** What hooks ask for: one decision; and what they report. A hook that is gone cancels its question. */
export const hookOps = (desk: HookDesk): LocalOps => ({
  decide: checked(DecideArgs, (args, agent, { signal }) => desk.decide(agent, args, signal)),
  report: checked(ReportArgs, async (args, agent) => {
    await desk.report(agent, args);
    return {};
  }),
});
