import type { PolicyFault, PolicyView } from "../../../app/bridge/views.ts";
import type { HubRecovery } from "../../../hub/index.ts";
import type { KeyLoss } from "../../keys/index.ts";
import type { OpenedStore } from "../../storage/index.ts";
import { linkedOwnFiles } from "../../tools/files/paths/own-data.ts";
import type { StartGuard } from "../host-port.ts";
import type { Program } from "../program.ts";

export interface FoundAtStart {
  readonly opened: OpenedStore;
  /** Null: the hub's database was whole. */
  readonly recovery: HubRecovery | null;
  readonly ownFolders: readonly string[];
  /** Keys that were lost; what only they opened was set aside. */
  readonly lost: readonly KeyLoss[];
  readonly guard: StartGuard | null;
  /** Null: there is none. */
  readonly policy: PolicyView | null;
}

type Told = Pick<Program, "notify">;
type Say = (line: string) => void;

/** What a start found that is not as it was left: as notices for the person, and as lines. */
export function tellFound(found: FoundAtStart, program: Told, stderr: Say): void {
  const { opened, recovery, ownFolders, lost, guard, policy } = found;
  tellStore(opened, program, stderr);
  tellLinked(ownFolders, program, stderr);
  if (recovery !== null) tellRecovery(recovery, program, stderr);
  if (lost.includes("records")) program.notify({ code: "key_records_lost", params: {} });
  if (lost.some((loss) => loss !== "records")) {
    program.notify({ code: "keys_replaced", params: {} });
  }
  if (guard !== null && guard.gaveUp !== null) {
    program.notify({ code: "update_given_up", params: { version: guard.gaveUp } });
  }
  if (policy?.state === "applied" && policy.unknown_scopes.length > 0) {
    stderr(
      `The policy names permissions that Consentry does not have: ${policy.unknown_scopes.join(", ")}`,
    );
  }
}

/** For the terminal: the page says the same in the person's language. */
export function brokenLine({ file, code, place }: PolicyFault): string {
  const where = place === null ? "" : ` at line ${place.line}, column ${place.column}`;
  return `The policy ${file} cannot be used (${code})${where}. Until it is mended, no agent is served.`;
}

function tellStore(
  { setAside, interrupted, rolledBack }: OpenedStore,
  program: Told,
  stderr: Say,
): void {
  if (setAside !== null) {
    program.notify({ code: "database_set_aside", params: { file: setAside } });
    stderr(`The database was damaged and has been set aside as ${setAside}.`);
  }
  if (rolledBack) {
    program.notify({ code: "log_rolled_back", params: {} });
    stderr("The log is an older one than it was: its newest entries are missing.");
  }
  if (interrupted > 0) stderr(`${interrupted} call(s) of the last session were interrupted.`);
}

function tellRecovery({ setAside }: HubRecovery, program: Told, stderr: Say): void {
  program.notify({ code: "hub_recovered", params: { file: setAside ?? "" } });
  const kept = setAside === null ? "gone" : `damaged and has been set aside as ${setAside}`;
  stderr(`The hub's database was ${kept}. Agents were put back; messages on their way are lost.`);
}

/** Hard links to our own files: agents could reach them by these, so fewer calls run until they are gone. */
function tellLinked(ownFolders: readonly string[], program: Told, stderr: Say): void {
  const linked = linkedOwnFiles(ownFolders.map((path) => ({ path })));
  if (linked.length === 0) return;
  const files = linked.map(({ path }, index) => [`file_${index}`, path] as const);
  program.notify({ code: "own_data_linked", params: Object.fromEntries(files) });
  stderr(`Files of Consentry have other names too: ${linked.map(({ path }) => path).join(", ")}`);
}
