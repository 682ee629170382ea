import { faultOf } from "../../hub-error.ts";
import { ConformingHub } from "./conforming-hub.ts";
import { OWNER_CASES } from "./owner-cases.ts";
import { type ConformCase, STRANGER_CASES } from "./stranger-cases.ts";

/** Milliseconds that a case may take. */
const CASE_AT_MOST_MS = 20_000;

/**
 * The protocol's tests against a running hub, from outside.
 * @param ownerTokenFile of a hub's owner; without it only what strangers can see is tried
 * @param say one line for each case that fails, and `N passed, N failed` at the end
 * @returns whether none failed
 */
export async function runConform(
  url: string,
  ownerTokenFile: string | undefined,
  say: (line: string) => void,
): Promise<boolean> {
  const hub = new ConformingHub(url, ownerTokenFile);
  const cases = hub.hasOwner ? [...STRANGER_CASES, ...OWNER_CASES] : STRANGER_CASES;
  if (!hub.hasOwner) {
    say(`Not tried without --owner-token-file: ${OWNER_CASES.length} cases of an owner.`);
  }
  let failed = 0;
  for (const [name, run] of cases) {
    try {
      await inTime(run, hub);
    } catch (error) {
      failed += 1;
      say(`failed: ${name}: ${error instanceof Error ? error.message : faultOf(error)}`);
    }
    hub.closeAll();
  }
  say(`${cases.length - failed} passed, ${failed} failed`);
  return failed === 0;
}

async function inTime(run: ConformCase[1], hub: ConformingHub): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), CASE_AT_MOST_MS);
  });
  const done = run(hub);
  done.catch(() => undefined);
  await Promise.race([done, late]).finally(() => clearTimeout(timer));
}
