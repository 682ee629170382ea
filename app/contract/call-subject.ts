import { Type } from "typebox";
import { assertNever } from "./assert-never.ts";
import { CATALOGUE } from "./catalogue.ts";
import { canonicalJson } from "./digest.ts";
import { folderAbove, isInFolder, plainPath } from "./folder-path.ts";
import type { JsonObject } from "./json.ts";
import { isSameHost, networkHostOf } from "./network-host.ts";
import { CommandBeginnings } from "./rule.ts";
import { isAgentScope } from "./scopes.ts";
import { careFor, usesOf } from "./target/special-places.ts";
import { isOnlyReading } from "./tools/fetch-url.ts";
import type { ToolContract } from "./tools/tool-contract.ts";

/** The limit for names that can be looked up (RFC 1035 §2.3.4). */
const HOST_CHARS = 255;

/** What a quiet period covers (contract §3); `scope`: everything that the scope allows. */
export const CallSubject = Type.Union([
  Type.Object({ kind: Type.Literal("scope") }, { additionalProperties: false }),
  Type.Object(
    {
      kind: Type.Literal("host"),
      host: Type.String({ minLength: 1, maxLength: HOST_CHARS }),
      port: Type.Integer({ minimum: 1, maximum: 65_535 }),
    },
    { additionalProperties: false },
  ),
  CommandBeginnings,
  Type.Object(
    {
      /** A tool of the agent's own that none of ours resembles. */
      kind: Type.Literal("tool"),
      tool: Type.String({ minLength: 1, maxLength: 256 }),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      /**
       * A folder with everything below it, or a file alone; `named_file`: one that nothing wider covers.
       */
      kind: Type.Enum(["folder", "file", "named_file"]),
      /** As `plainPath` returns it. */
      path: Type.String({ minLength: 1, maxLength: 4096 }),
    },
    { additionalProperties: false },
  ),
]);
export type CallSubject = Type.Static<typeof CallSubject>;

export const WHOLE_SCOPE: CallSubject = { kind: "scope" };

/**
 * What a quiet period for this call would cover, from the arguments that will run; null: the person
 * is asked each time.
 *
 * @param roots paths of the folders that the agent was given or now asks for; for what it carries out itself, of those
 *   that it has open
 */
export function subjectOf(
  { name, quiet, scope }: Pick<ToolContract, "name" | "quiet" | "scope">,
  args: JsonObject,
  roots: readonly string[],
): CallSubject | null {
  const path = plainArgument(args);
  const care = path === null ? "usual" : careFor(path, usesOf(scope));
  if (care === "each_time") return null;
  switch (quiet) {
    case "host":
      return hostSubject(args);
    case "folder":
      return pathSubject("folder", isAgentScope(scope) ? projectOf(path, roots) : path);
    case "folder_around":
      if (care === "by_name") return pathSubject("named_file", path);
      if (isAgentScope(scope)) return pathSubject("folder", projectOf(path, roots));
      return (
        pathSubject("folder", folderAround(path, roots)) ??
        pathSubject(touchesOneFile(name) ? "file" : "folder", path)
      );
    case "scope":
      return WHOLE_SCOPE;
    case "tool":
      return toolSubject(args);
    case null:
      return null;
    default:
      return assertNever(quiet);
  }
}

/** Whether a quiet period for `given` covers a call about `subject`. */
export function covers(given: CallSubject, subject: CallSubject | null): boolean {
  if (subject === null) return false;
  switch (given.kind) {
    case "scope":
      return subject.kind !== "named_file";
    case "host":
      return subject.kind === "host" && isSameHost(given, subject);
    case "tool":
      return subject.kind === "tool" && given.tool === subject.tool;
    case "commands":
      // Which commands a beginning covers is decided where their arguments are known (decide-line.ts).
      return canonicalJson(given) === canonicalJson(subject);
    case "folder":
      return (
        "path" in subject && subject.kind !== "named_file" && isInFolder(given.path, subject.path)
      );
    case "file":
    case "named_file":
      return subject.kind === given.kind && subject.path === given.path;
    default:
      return assertNever(given);
  }
}

function hostSubject(args: JsonObject): CallSubject | null {
  const url = typeof args.url === "string" ? URL.parse(args.url) : null;
  if (url === null || url.hostname.length > HOST_CHARS || !isOnlyReading(args)) return null;
  return { kind: "host", ...networkHostOf(url) };
}

/** Claude Code's plans, each of which is for the person to approve. */
export const PLAN = "ExitPlanMode";

const toolSubject = ({ tool }: JsonObject): CallSubject | null =>
  typeof tool === "string" && tool !== PLAN ? { kind: "tool", tool } : null;

/** The only file that a call touches; null: it may touch others, or a folder. */
export const fileOf = ({ name }: { readonly name: string }, args: JsonObject): string | null =>
  touchesOneFile(name) ? plainArgument(args) : null;

const touchesOneFile = (name: string): boolean => CATALOGUE.get(name)?.reach === "one_file";

const pathSubject = (
  kind: "folder" | "file" | "named_file",
  path: string | null,
): CallSubject | null => (path === null ? null : { kind, path });

const plainArgument = ({ path }: JsonObject): string | null =>
  typeof path === "string" ? plainPath(path) : null;

/** The folder that the agent has open and the path is in. */
const projectOf = (path: string | null, roots: readonly string[]): string | null =>
  (path !== null && roots.find((root) => isInFolder(root, path))) || null;

/** The folder around it; null: the agent was not given that. */
function folderAround(path: string | null, roots: readonly string[]): string | null {
  const above = path === null ? null : folderAbove(path);
  return above !== null && roots.some((root) => isInFolder(root, above)) ? above : null;
}
