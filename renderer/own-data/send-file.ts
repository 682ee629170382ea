import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import type { ImportStep } from "../../app/bridge/own-data-calls.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import { base64Of } from "../parts/base64.ts";

/**
 * Sends a file in parts, until the program says more than that it wants the next one.
 * @throws BridgeError; what the browser throws when the file cannot be read
 */
export async function sendFile(
  bridge: Pick<ClientBridge, "call">,
  name: "data.import_check" | "data.import_take",
  file: Blob,
): Promise<Exclude<ImportStep, { kind: "more" }>> {
  const step = LIMITS.importPartBytes;
  for (let number = 0; ; number += 1) {
    const end = (number + 1) * step;
    const bytes = await base64Of(file.slice(number * step, end));
    const said = await bridge.call(name, { number, bytes, last: end >= file.size });
    if (said.kind !== "more") return said;
  }
}
