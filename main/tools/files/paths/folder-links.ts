import { realpath } from "node:fs/promises";
import type { JsonObject } from "../../../../app/contract/json.ts";
import { type RootWanted, type Tool, toolFailure } from "../../../../app/execution/ports.ts";
import type { FolderLink, Root } from "../../../../app/grants/grant.ts";
import { resolveRoot } from "./choose-root.ts";
import { componentsBelow, insideRoot, type PathPlatform } from "./path-rules.ts";

/**
 * Tools follow no links. But people and agents name folders through them (`/tmp` on macOS, a home behind a
 * link), so a root keeps the link through which it was named when it was given.
 */

/** Arguments that name a place in the file system. */
const PATHS = ["path", "from", "to", "directory"] as const;

/** How long a disk may take to say where a link leads; ms. */
const LOOK_MS = 1_000;

/** A tool whose calls may name the agent's folders by the links through which they were given. */
export function followingLinks(tool: Tool, platform: PathPlatform): Tool {
  const { preview } = tool;
  const led = (args: JsonObject, roots: readonly Root[]) => throughLinks(args, roots, platform);
  return {
    ...tool,
    preflight: (args, held) => tool.preflight(led(args, held.roots), held),
    ...(preview && {
      async preview(args, by) {
        await requireLinks(args, by.roots, platform);
        return preview(led(args, by.roots), by);
      },
    }),
    async run(args, by) {
      await requireLinks(args, by.roots, platform);
      return tool.run(led(args, by.roots), by);
    },
    realWanted,
    throughLinks: led,
  };
}

/** Pure. */
function throughLinks(
  args: JsonObject,
  roots: readonly Root[],
  platform: PathPlatform,
): JsonObject {
  const led = linksIn(args, roots, platform).map(
    ([name, path, { at, to }]) => [name, to + path.slice(at.length)] as const,
  );
  return led.length === 0 ? args : { ...args, ...Object.fromEntries(led) };
}

/** @throws ToolFailure `outside_roots` if a link that the arguments name leads elsewhere by now */
async function requireLinks(
  args: JsonObject,
  roots: readonly Root[],
  platform: PathPlatform,
): Promise<void> {
  for (const [, , { at, to }] of linksIn(args, roots, platform)) {
    if ((await realpath(at).catch(() => null)) !== to) throw toolFailure("outside_roots");
  }
}

/** The arguments that lead through a link, the innermost one where there are several. */
function linksIn(args: JsonObject, roots: readonly Root[], platform: PathPlatform) {
  const links = roots
    .flatMap(({ link }) => link ?? [])
    .toSorted((one, other) => other.at.length - one.at.length);
  if (links.length === 0) return [];
  return PATHS.flatMap((name) => {
    const path = args[name];
    if (typeof path !== "string") return [];
    const link = links.find(({ at }) => insideRoot(at, path, platform));
    return link === undefined ? [] : [[name, path, link] as const];
  });
}

/**
 * What is wanted, in terms of the real folder. If that cannot be found out, it stays as it is: of a folder
 * that it was not given, an agent learns nothing.
 */
async function realWanted(wanted: RootWanted): Promise<RootWanted> {
  const at = wanted.suggested_path;
  const late = new Promise<null>((resolve) => setTimeout(resolve, LOOK_MS, null).unref());
  const found = await Promise.race([resolveRoot(at), late]);
  if (found === null || !("path" in found) || found.link === undefined) return wanted;
  return { ...wanted, suggested_path: found.path, link: found.link };
}

/** Whether what was chosen gives what the link leads to. Pure. */
export const isReached = (
  { to }: FolderLink,
  chosen: Pick<Root, "path" | "only_file">,
  platform: PathPlatform,
): boolean =>
  chosen.only_file === true
    ? componentsBelow(to, chosen.path, platform)?.length === 1
    : insideRoot(chosen.path, to, platform);
