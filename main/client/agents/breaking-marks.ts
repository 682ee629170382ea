import Type from "typebox";
import { guardOf } from "../../../app/contract/checked.ts";
import { jsonOf } from "../../../app/contract/json.ts";
import { BREAKING_KINDS, type BreakingReason } from "../../../app/contract/manifest.ts";
import {
  BREAKING_CHANGES_TOLD,
  type BreakingChange,
} from "../../../app/protocol/v1/breaking-change.ts";
import type { KeptValues } from "../../storage/settings-store.ts";

/** What the hub called breaking, each kind of change once for a tool, or for a scope itself. */
export interface Marked extends BreakingReason {
  readonly scope: string;
}
const isMarked = guardOf(
  Type.Array(
    Type.Object({
      kind: Type.Enum([...BREAKING_KINDS]),
      scope: Type.String(),
      tool: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
);

const keyOf = (agentId: string): string => `breaking ${agentId}`;

/**
 * What of each agent's manifest the hub has called breaking since the person reviewed it, durable like
 * settings, also where it was taken back meanwhile. Only the hub judges that (contract §7).
 */
export class BreakingMarks {
  readonly #kept: KeptValues;

  constructor(kept: KeptValues) {
    this.#kept = kept;
  }

  of(agentId: string): readonly Marked[] {
    const value = jsonOf(this.#kept.value(keyOf(agentId)));
    return isMarked(value) ? value : [];
  }

  /** @throws StoreError */
  async add(agentId: string, changes: readonly BreakingChange[]): Promise<void> {
    const all = [...this.of(agentId), ...changes].map(
      ({ kind, scope, tool }): Marked => ({ kind, scope, tool }),
    );
    const each = new Map(all.map((mark) => [JSON.stringify(mark), mark]));
    const marked = [...each.values()].slice(-BREAKING_CHANGES_TOLD);
    await this.#kept.putValue(keyOf(agentId), JSON.stringify(marked));
  }

  /** The person has reviewed the manifest, or the agent is gone. @throws StoreError */
  clear(agentId: string): Promise<void> {
    return this.#kept.removeValue(keyOf(agentId));
  }
}
