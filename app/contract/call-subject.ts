import { Type } from "typebox";
import { assertNever } from "./assert-never.ts";
import type { ToolName } from "./catalogue.ts";
import { folderAbove, isInFolder, plainPath } from "./folder-path.ts";
import type { JsonObject } from "./json.ts";
import { isSameHost, networkHostOf } from "./network-host.ts";
import type { FetchUrlArguments } from "./tools/fetch-url.ts";
import { isOnlyReading } from "./tools/only-reading.ts";

/** No name that can be looked up has more (RFC 1035 §2.3.4). */
const HOST_CHARS = 255;

/** What a quiet period is for (contract §3); `scope`: everything the scope lets the agent do. */
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
  Type.Object(
    {
      kind: Type.Literal("folder"),
      /** As `plainPath` gives it. */
      path: Type.String({ minLength: 1, maxLength: 4096 }),
    },
    { additionalProperties: false },
  ),
]);
export type CallSubject = Type.Static<typeof CallSubject>;

export const WHOLE_SCOPE: CallSubject = { kind: "scope" };

/**
 * What a call is about, from the very arguments that will run; null: it is asked about each time.
 *
 * @param roots paths of the folders that the agent was given or now asks for
 */
export function subjectOf(
  tool: ToolName,
  args: JsonObject,
  roots: readonly string[],
): CallSubject | null {
  switch (tool) {
    case "fetch_url":
      return hostSubject(args);
    case "list_directory":
    case "search_files":
      return folderSubject(plainArgument(args));
    case "read_file":
    case "get_file_info":
      return folderSubject(folderAround(plainArgument(args), roots));
    case "read_clipboard":
    case "write_clipboard":
    case "send_notification":
    case "get_location":
      return WHOLE_SCOPE;
    case "write_file":
    case "edit_file":
    case "create_directory":
    case "move_file":
    case "delete_file":
    case "run_command":
      return null;
    default:
      return assertNever(tool);
  }
}

/** Whether a quiet period for `given` covers a call about `subject`. */
export function covers(given: CallSubject, subject: CallSubject | null): boolean {
  if (subject === null) return false;
  switch (given.kind) {
    case "scope":
      return true;
    case "host":
      return subject.kind === "host" && isSameHost(given, subject);
    case "folder":
      return subject.kind === "folder" && isInFolder(given.path, subject.path);
    default:
      return assertNever(given);
  }
}

function hostSubject(args: JsonObject): CallSubject | null {
  // The catalogue's schema has accepted them (contract §2.4).
  const given = args as unknown as FetchUrlArguments;
  const url = URL.parse(given.url);
  if (url === null || url.hostname.length > HOST_CHARS || !isOnlyReading(given)) return null;
  return { kind: "host", ...networkHostOf(url) };
}

const folderSubject = (path: string | null): CallSubject | null =>
  path === null ? null : { kind: "folder", path };

const plainArgument = ({ path }: JsonObject): string | null =>
  typeof path === "string" ? plainPath(path) : null;

/** The folder around a file; around a folder that was itself given, no other than itself. */
function folderAround(path: string | null, roots: readonly string[]): string | null {
  const above = path === null ? null : folderAbove(path);
  return above !== null && roots.some((root) => isInFolder(root, above)) ? above : path;
}
