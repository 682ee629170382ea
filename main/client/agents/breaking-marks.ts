import Type from "typebox";
import { guardOf } from "../../../app/contract/checked.ts";
import { jsonOf } from "../../../app/contract/json.ts";
import type { BreakingChange } from "../../../app/protocol/v1/breaking-change.ts";
import type { KeptValues } from "../../storage/settings-store.ts";

const Marked = Type.Object({ tools: Type.Array(Type.String()), scopes: Type.Array(Type.String()) });
/** What the hub called breaking: tools by name, scopes by id. */
export type Marked = Type.Static<typeof Marked>;
const isMarked = guardOf(Marked);

const NOTHING: Marked = { tools: [], scopes: [] };
const keyOf = (agentId: string): string => `breaking ${agentId}`;

/**
 * What of each agent's manifest the hub has called breaking since the person reviewed it, durable like
 * settings. Only the hub judges that (contract §7).
 */
export class BreakingMarks {
  readonly #kept: KeptValues;

  constructor(kept: KeptValues) {
    this.#kept = kept;
  }

  of(agentId: string): Marked {
    const value = jsonOf(this.#kept.value(keyOf(agentId)));
    return isMarked(value) ? value : NOTHING;
  }

  /** @throws StoreError */
  async add(agentId: string, changes: readonly BreakingChange[]): Promise<void> {
    const { tools, scopes } = this.of(agentId);
    const marked: Marked = {
      tools: [...new Set([...tools, ...changes.flatMap(({ tool }) => tool ?? [])])],
      scopes: [
        ...new Set([
          ...scopes,
          ...changes.flatMap(({ tool, scope }) => (tool === null ? scope : [])),
        ]),
      ],
    };
    await this.#kept.putValue(keyOf(agentId), JSON.stringify(marked));
  }

  /** The person has reviewed the manifest, or the agent is gone. @throws StoreError */
  clear(agentId: string): Promise<void> {
    return this.#kept.removeValue(keyOf(agentId));
  }
}
