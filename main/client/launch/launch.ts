import type { HostParts, StartGuard } from "../host-port.ts";
import { dataFolder, eraseData } from "./data-folder.ts";
import { claimInstance, secondStartLine } from "./instance-lock.ts";
import type { LaunchOptions } from "./launch-options.ts";
import { startOrReplaceKeys } from "./replace-keys.ts";
import { faultLine, startClient } from "./start-client.ts";

export interface Launched {
  /** True when another instance runs on the data folder: it shows its UI, and nothing runs here. */
  readonly ended: boolean;
  close(): Promise<void>;
}

/**
 * Starts the client on its data folder with the given host, and reports it in one line of JSON.
 * What was started is ended again, in the opposite order, by `close` or when a later part fails.
 * @throws HostError, StoreError, KeyError, HubError, OwnFileError
 */
export async function launch(options: LaunchOptions, parts: HostParts): Promise<Launched> {
  const dataDir = dataFolder(options.flags.dataDir);
  const claim = await claimInstance(dataDir, options.flags.link, options.time);
  if (claim.kind === "second") {
    options.stderr(secondStartLine(dataDir, claim.ui));
    options.stdout(JSON.stringify({ event: "already_running", ui: claim.ui }));
    return { ended: true, close: async () => {} };
  }
  const { flags, time, stderr } = options;
  const guard = beginStart(parts.startGuard?.(dataDir) ?? null, stderr);
  if (guard === "gone_back") {
    await claim.lock.release();
    return { ended: true, close: async () => {} };
  }
  const replacing = { dataDir, wanted: flags.newKeys === true, now: () => time.wall.now(), stderr };
  const locked = new AsyncDisposableStack();
  let removing = false;
  // Last of all: then nothing has a file open.
  locked.defer(() => {
    if (!removing) return;
    const left = eraseData(dataDir, options.anchorFolder ?? null);
    stderr(left.length > 0 ? `Could not be deleted: ${left.join(", ")}` : "All data was removed.");
  });
  const removeData = () => {
    removing = true;
    options.quit();
  };
  locked.defer(() => claim.lock.release());
  try {
    const running = await startOrReplaceKeys(replacing, async (lost) => {
      const ending = new AsyncDisposableStack();
      try {
        const place = { dataDir, lock: claim.lock, lost, guard, removeData };
        await startClient(options, parts, place, ending);
        return ending;
      } catch (error) {
        await ending.disposeAsync();
        throw error;
      }
    });
    locked.defer(() => running.disposeAsync());
  } catch (error) {
    await locked.disposeAsync();
    throw error;
  }
  return { ended: false, close: () => locked.disposeAsync() };
}

/** A guard that cannot do its work stops no start. */
function beginStart(
  guard: StartGuard | null,
  stderr: (line: string) => void,
): StartGuard | null | "gone_back" {
  try {
    if (guard === null || guard.begin()) return guard;
    stderr("This version did not start. The version before it was put back and starts now.");
    return "gone_back";
  } catch (error) {
    stderr(faultLine(error));
    return null;
  }
}
