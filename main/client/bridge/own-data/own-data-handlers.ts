import { BridgeError } from "../../../../app/bridge/client-bridge.ts";
import type { CallHandlers } from "../../../../app/bridge/register-calls.ts";
import type { DeliverFile } from "../../host-port.ts";
import { type OwnDataSources, ownDataFile } from "./export.ts";
import { FormerAgents } from "./former-agents.ts";
import { FormerLogs } from "./former-logs.ts";
import type { ImportPorts } from "./import-taking.ts";
import { Imports } from "./imports.ts";

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
      if (!(await agents.forget(former_id))) throw new BridgeError("not_found");
      return null;
    },
    "data.former_log": async ({ name }) => {
      const file = logs.file(name);
      if (file === null) throw new BridgeError("not_found");
      return parts.deliver(file);
    },
  };
}
