import Type from "typebox";
import { guardOf } from "../../../app/contract/checked.ts";
import { isInFolder } from "../../../app/contract/folder-path.ts";
import { jsonOf } from "../../../app/contract/json.ts";
import type { KeptValues } from "../../storage/settings-store.ts";

/** Folders of one agent; a further one takes the place of the oldest. */
const KEPT = 100;
const isKept = guardOf(Type.Array(Type.String(), { maxItems: KEPT }));
const keyOf = (agentId: string): string => `ignored_folders ${agentId}`;

/** Folders about which the person wants no notice when an agent tries them (contract §4). */
export class IgnoredFolders {
  readonly #settings: KeptValues;

  constructor(settings: KeptValues) {
    this.#settings = settings;
  }

  /** Whether the person ignores this folder or one above it. */
  has(agentId: string, path: string): boolean {
    return this.#of(agentId).some((folder) => isInFolder(folder, path));
  }

  /** @throws StoreError */
  async add(agentId: string, path: string): Promise<void> {
    const others = this.#of(agentId).filter((folder) => !isInFolder(path, folder));
    await this.#settings.putValue(keyOf(agentId), JSON.stringify([path, ...others].slice(0, KEPT)));
  }

  /** The agent is gone. @throws StoreError */
  clear(agentId: string): Promise<void> {
    return this.#settings.removeValue(keyOf(agentId));
  }

  /** A list that cannot be read counts as empty: a notice too many does no harm. */
  #of(agentId: string): readonly string[] {
    const kept = jsonOf(this.#settings.value(keyOf(agentId)));
    return isKept(kept) ? kept : [];
  }
}
