import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildNodeParts } from "../../scripts/build-parts.ts";
import { DIST } from "./built-client.ts";

const SWITCH = fileURLToPath(new URL("../../app/protocol/v1/encrypted.ts", import.meta.url));
/** Where the packages that a build leaves out are found. */
const PLACE = new URL(`../../node_modules/.consentry-plain-${process.pid}`, import.meta.url);

/**
 * The program and the SDK built once more with plain envelopes, which the product has no way to
 * send: the module that says so is put in another's place.
 */
export async function buildPlain(ending: AsyncDisposableStack): Promise<string> {
  const folder = fileURLToPath(PLACE);
  ending.defer(() => rmSync(folder, { recursive: true, force: true }));
  let isReplaced = false;
  await buildNodeParts(folder, [
    {
      name: "plain-envelopes",
      load(id) {
        if (id !== SWITCH) return null;
        isReplaced = true;
        return "export const ENCRYPTED = false;";
      },
    },
  ]);
  if (!isReplaced) throw new Error("the plain build is not plain");
  cpSync(join(DIST, "renderer"), join(folder, "renderer"), { recursive: true });
  return folder;
}
