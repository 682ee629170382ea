import { isSameHost } from "../contract/network-host.ts";
import type { KnownAgent, Root } from "../grants/grant.ts";
import type { Given } from "./obtain-permission.ts";

/**
 * What was given, as it holds at this moment; null where some of it was taken back while the
 * call was examined or the person asked (contract §7). A folder that was meanwhile narrowed by
 * one inside it is narrower for this call too.
 *
 * @param before the agent when the call was examined
 */
export function stillGiven(given: Given, before: KnownAgent, now: KnownAgent): Given | null {
  const rootsStand = given.roots.every((root) => now.roots.some((other) => covers(other, root)));
  const hostsStand = before.hosts.every((host) => now.hosts.some((kept) => isSameHost(kept, host)));
  return rootsStand && hostsStand ? { ...given, roots: now.roots } : null;
}

const covers = (now: Root, then: Root): boolean =>
  now.path === then.path && (now.access === "read_write" || then.access === "read");
