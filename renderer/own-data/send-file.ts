import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import type { ImportStep } from "../../app/bridge/own-data-calls.ts";
import { LIMITS } from "../../app/contract/limits.ts";

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

async function base64Of(part: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ""));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(part);
  return promise;
}
