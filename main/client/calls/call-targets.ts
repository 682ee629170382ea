import type { ActivityRow } from "../../../app/bridge/views.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import { callTarget } from "../../../app/contract/target/call-target.ts";
import type { CallTarget } from "../../../app/contract/target/target.ts";

export interface CallTargetPorts {
  /** The arguments of exactly this call, as long as they are in memory; null: they are not. */
  readonly argumentsOf: (
    call: Pick<ActivityRow, "agent_id" | "call_id" | "arguments_digest">,
  ) => JsonObject | null;
  /** Paths of the folders that the agent was given. */
  readonly folders: (agentId: string) => readonly string[];
}

/** Says what calls are about, without a preview: a list shows what was asked. */
export class CallTargets {
  readonly #ports: CallTargetPorts;

  constructor(ports: CallTargetPorts) {
    this.#ports = ports;
  }

  of(agentId: string, toolName: string, args: JsonObject): CallTarget {
    const folders = this.#ports.folders(agentId);
    return callTarget({ tool_name: toolName, arguments: args, preview: null, folders });
  }

  /** The line with its target, if that is known. */
  withTarget(row: ActivityRow): ActivityRow {
    const args = this.#ports.argumentsOf(row);
    if (args === null) return row;
    return { ...row, target: this.of(row.agent_id, row.tool_name, args) };
  }
}
