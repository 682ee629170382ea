import Type, { type Static } from "typebox";
import { guardOf } from "../../../app/contract/checked.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import type { CallIntake, ChannelHost } from "../channel.ts";
import { decodeLocalCall, startLocalCall } from "../local/local-call.ts";
import { LocalOpError, type LocalOps } from "../local/local-op.ts";

/** The name of the hooks' socket in the data folder. */
export const HOOK_SOCKET = "hooks";

const closed = { additionalProperties: false } as const;

const DecideArgs = Type.Object(
  {
    tool: Type.String({ minLength: 1, maxLength: LIMITS.callIdChars }),
    arguments: Type.Unsafe<JsonObject>(Type.Object({})),
  },
  closed,
);
const isDecideArgs: (args: unknown) => args is Static<typeof DecideArgs> = guardOf(DecideArgs);

const HookVerdict = Type.Union([
  Type.Object({ kind: Type.Literal("allowed") }, closed),
  /** `reason`: of the contract's table, or `put_off` when the program is closing. */
  Type.Object({ kind: Type.Literal("refused"), reason: Type.String() }, closed),
]);
export const isHookVerdict: (value: unknown) => value is Static<typeof HookVerdict> =
  guardOf(HookVerdict);

/** What hooks ask for: one decision. A hook that is gone cancels its question. */
export const hookOps = (host: Pick<ChannelHost, "agents">, intake: CallIntake): LocalOps => ({
  async decide(args, agent, { signal }) {
    if (!isDecideArgs(args)) throw new LocalOpError();
    const decoded = decodeLocalCall(host, agent, args.tool, args.arguments);
    const { call_id, answer } = startLocalCall(intake, agent, decoded);
    const giveUp = () => void intake.giveUp({ agent_id: agent.agent_id, call_id });
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    const response = await answer;
    if (response === null) return { kind: "refused", reason: "put_off" };
    return response.status === "ok"
      ? { kind: "allowed" }
      : { kind: "refused", reason: response.reason };
  },
});
