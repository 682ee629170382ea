import type { CatalogueEntry } from "../../../app/contract/catalogue.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import { isSameHost, networkHostOf } from "../../../app/contract/network-host.ts";
import type { KnownAgent } from "../../../app/grants/grant.ts";
import { isOwnNetwork } from "../../tools/fetch/check-target.ts";
import { folderPreflight, isFolder } from "../../tools/files/paths/folder-preflight.ts";
import { pathPlatform } from "../../tools/files/paths/path-rules.ts";

const PLATFORM = pathPlatform(process.platform);

/**
 * What the person would be asked to give with a call: a folder, or a host of their own network; `outside`:
 * the call is refused, because the agent has other folders; null: it has what the call needs.
 */
export function missingPlace(
  { roots, hosts }: Pick<KnownAgent, "roots" | "hosts">,
  { name, scope }: CatalogueEntry,
  { path, from, url }: JsonObject,
): "folder" | "host" | "outside" | null {
  if (typeof url === "string") {
    const host = networkHostOf(new URL(url));
    const isGiven = !isOwnNetwork(host.host) || hosts.some((allowed) => isSameHost(allowed, host));
    return isGiven ? null : "host";
  }
  if (name === "run_command") {
    const isGiven = roots.some((root) => isFolder(root) && root.access === "read_write");
    return isGiven ? null : "folder";
  }
  const place = path ?? from;
  if (typeof place !== "string") return null;
  const access = scope === "filesystem:write" ? "read_write" : "read";
  switch (folderPreflight(place, roots, PLATFORM, "parent", access)?.kind) {
    case "refuse":
      return "outside";
    case "root_wanted":
      return "folder";
    default:
      return null;
  }
}
