import type { ConsentBridge } from "../../app/bridge/client-bridge.ts";

/** If a picker cannot be shown, nothing was chosen. */
export async function pickedFolder(
  bridge: Pick<ConsentBridge, "call">,
  startAt: string,
): Promise<string | null> {
  try {
    const picked = await bridge.call("folders.pick", startAt === "" ? {} : { start_at: startAt });
    return picked.path;
  } catch {
    return null;
  }
}
