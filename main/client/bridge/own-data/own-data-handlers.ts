import Type from "typebox";
import { bridgeError } from "../../../../app/bridge/client-bridge.ts";
import type { CallHandlers } from "../../../../app/bridge/register-calls.ts";
import { guardOf } from "../../../../app/contract/checked.ts";
import { jsonOf } from "../../../../app/contract/json.ts";
import { FormerAgent } from "../../../../app/contract/own-data.ts";
import type { KeptValues } from "../../../storage/index.ts";
import type { DeliverFile } from "../../host-port.ts";
import { type OwnDataSources, ownDataFile } from "./export.ts";
import { type ImportPorts, Imports } from "./import.ts";

interface OwnDataParts extends OwnDataSources, Omit<ImportPorts, "addFormer" | "conversations"> {
  readonly conversations: OwnDataSources["conversations"] & ImportPorts["conversations"];
  readonly kept: KeptValues;
  readonly deliver: DeliverFile;
}

type OwnDataCall = Exclude<Extract<keyof CallHandlers, `data.${string}`>, "data.remove">;

/** Exports the person's data to a file, and imports such a file (docs/own-data.md). */
export function ownDataHandlers(parts: OwnDataParts): Pick<CallHandlers, OwnDataCall> {
  const agents = new FormerAgents(parts.kept);
  const imports = new Imports({ ...parts, addFormer: (added) => agents.add(added) });
  return {
    "data.export": () => parts.deliver(ownDataFile(parts)),
    "data.import_check": (part) => imports.check(part),
    "data.import_take": (part) => imports.take(part),
    "data.former": () => agents.list(),
    "data.former_forget": async ({ former_id }) => {
      if (!(await agents.forget(former_id))) throw bridgeError("not_found");
      return null;
    },
  };
}

const KEY = "former_agents";
const isKept = guardOf(Type.Array(FormerAgent));

/**
 * Agents of imported files and their permissions there, until the person has used or removed them. An unreadable
 * list counts as empty, because the file still has it.
 */
class FormerAgents {
  readonly #settings: KeptValues;

  constructor(settings: KeptValues) {
    this.#settings = settings;
  }

  list(): readonly FormerAgent[] {
    const kept = jsonOf(this.#settings.value(KEY));
    return isKept(kept) ? kept : [];
  }

  /** Replaces those that are already listed. @throws StoreError */
  async add(agents: readonly FormerAgent[]): Promise<void> {
    const ids = new Set(agents.map(({ former_id }) => former_id));
    const others = this.list().filter(({ former_id }) => !ids.has(former_id));
    await this.#put([...others, ...agents]);
  }

  /** False if there is none. @throws StoreError */
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
