import Type from "typebox";
import { guardOf } from "../../../../app/contract/checked.ts";
import { FormerAgent } from "../../../../app/contract/former-agent.ts";
import { jsonOf } from "../../../../app/contract/json.ts";
import type { KeptValues } from "../../../storage/index.ts";

const KEY = "former_agents";
const isKept = guardOf(Type.Array(FormerAgent));

/**
 * Agents of imported files, with what they had been given, until the person has used or removed the list.
 * One that cannot be read counts as empty: the file still has it.
 */
export class FormerAgents {
  readonly #settings: KeptValues;

  constructor(settings: KeptValues) {
    this.#settings = settings;
  }

  list(): readonly FormerAgent[] {
    const kept = jsonOf(this.#settings.value(KEY));
    return isKept(kept) ? kept : [];
  }

  /** One that is listed already is replaced. @throws StoreError */
  async add(agents: readonly FormerAgent[]): Promise<void> {
    const ids = new Set(agents.map(({ former_id }) => former_id));
    const others = this.list().filter(({ former_id }) => !ids.has(former_id));
    await this.#put([...others, ...agents]);
  }

  /** False: there is none. @throws StoreError */
  async forget(formerId: string): Promise<boolean> {
    const all = this.list();
    const left = all.filter(({ former_id }) => former_id !== formerId);
    if (left.length === all.length) return false;
    await this.#put(left);
    return true;
  }

  #put(agents: readonly FormerAgent[]): Promise<void> {
    return agents.length === 0
      ? this.#settings.removeValue(KEY)
      : this.#settings.putValue(KEY, JSON.stringify(agents));
  }
}
