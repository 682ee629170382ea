import type { CallArgs } from "../../../../app/bridge/calls.ts";
import { bridgeError } from "../../../../app/bridge/client-bridge.ts";
import type { ImportStep } from "../../../../app/bridge/own-data-calls.ts";
import type { CallHandlers } from "../../../../app/bridge/register-calls.ts";
import type { DeliverFile } from "../../host-port.ts";
import { type OwnDataSources, ownDataFile } from "./export.ts";
import { FormerAgents } from "./former-agents.ts";
import { FormerLogs } from "./former-logs.ts";
import { ImportCheck } from "./import-check.ts";
import { ImportError } from "./import-reader.ts";
import { type ImportPorts, ImportTaking } from "./import-taking.ts";

interface OwnDataParts extends OwnDataSources, Pick<ImportPorts, "userId" | "setSettings"> {
  readonly conversations: OwnDataSources["conversations"] & ImportPorts["conversations"];
  readonly kept: ConstructorParameters<typeof FormerAgents>[0];
  readonly dataDir: string;
  readonly deliver: DeliverFile;
  readonly changed: () => void;
}

type OwnDataCall = Exclude<Extract<keyof CallHandlers, `data.${string}`>, "data.remove">;

/** Everything of the person's as a file, and back (docs/own-data.md). */
export function ownDataHandlers(parts: OwnDataParts): Pick<CallHandlers, OwnDataCall> {
  const agents = new FormerAgents(parts.kept);
  const logs = new FormerLogs(parts.dataDir);
  const imports = new Imports({ ...parts, agents, logs });
  return {
    "data.export": () => parts.deliver(ownDataFile(parts)),
    "data.import_check": (part) => imports.check(part),
    "data.import_take": (part) => imports.take(part),
    "data.former": () => ({ agents: agents.list(), logs: logs.list() }),
    "data.former_forget": async ({ former_id }) => {
      if (!(await agents.forget(former_id))) throw bridgeError("not_found");
      return null;
    },
    "data.former_log": async ({ name }) => {
      const file = logs.file(name);
      if (file === null) throw bridgeError("not_found");
      return parts.deliver(file);
    },
  };
}

type Part = CallArgs<"data.import_check">;

/**
 * Takes an exported file over (docs/own-data.md), which the page sends twice: first it is checked to its end
 * and nothing changes; then each part must be the one that was checked. Neither memory nor disk ever
 * holds the whole. What it says of permissions becomes a list to choose from, and grants nothing.
 */
class Imports {
  readonly #ports: ImportPorts;
  #check: ImportCheck | null = null;
  #taking: ImportTaking | null = null;

  constructor(ports: ImportPorts) {
    this.#ports = ports;
  }

  check({ number, bytes, last }: Part): Promise<ImportStep> {
    return stepOf(async () => {
      if (number === 0) this.#check = new ImportCheck(new Set(this.#ports.conversations.ids()));
      if (this.#check?.isNext(number) !== true) throw new ImportError("file_changed", 1);
      return this.#check.take(Buffer.from(bytes, "base64"), last);
    });
  }

  /** @throws StoreError */
  take({ number, bytes, last }: Part): Promise<ImportStep> {
    return stepOf(async () => {
      const check = this.#check;
      if (number === 0) {
        this.#taking = check?.isWhole === true ? new ImportTaking(this.#ports, check) : null;
      }
      if (this.#taking === null) throw new ImportError("file_changed", 1);
      const done = await this.#taking.take(number, Buffer.from(bytes, "base64"), last);
      if (!done) return { kind: "more" };
      this.#taking = this.#check = null;
      this.#ports.changed();
      return { kind: "taken" };
    });
  }
}

async function stepOf(work: () => Promise<ImportStep>): Promise<ImportStep> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ImportError) return error.step;
    throw error;
  }
}
