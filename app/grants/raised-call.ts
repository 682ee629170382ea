import type { FoundLine, PlacedCall } from "../contract/command-line.ts";
import type { RaisedBy } from "../contract/consent-request.ts";
import { isInFolder, plainPath } from "../contract/folder-path.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../contract/json.ts";
import { commandDangers, scriptAt } from "../contract/target/command-dangers.ts";
import { marksOfPath, marksOfWords, type PathMark } from "../contract/target/path-marks.ts";
import { careFor, isEachTime, usesOf } from "../contract/target/special-places.ts";
import type { ToolContract } from "../contract/tools/tool-contract.ts";
import { placesIn } from "./call-facts.ts";

/**
 * Why a single call of what an agent carries out itself is high (contract §3); none: it is as its scope. Where no
 * folder is open, everything is outside.
 */
export function raisedBy(
  { name, scope }: Pick<ToolContract, "name" | "scope">,
  placed: PlacedCall,
): readonly RaisedBy[] {
  const { args, project } = placed;
  const found = new Set<RaisedBy>();
  const use = usesOf(scope);
  for (const named of placesIn(args)) {
    const path = plainPath(named);
    if (careFor(path, use) === "each_time") found.add("special_place");
    if (path === null || !project.some((folder) => isInFolder(folder, path))) {
      found.add("outside_project");
    }
  }
  if (name === "run_command") for (const each of raisedByCommand(placed)) found.add(each);
  if (args.destructive === true) found.add("destructive");
  if (isJsonObject(args.also)) {
    if (liftsSandbox(args.also)) found.add("leaves_sandbox");
    // What a program does depends on it, as on an assignment in the line.
    if (says(args.also.env, null)) found.add("unreadable");
  }
  return [...found];
}

/** What agents call it: Claude Code, Codex, Gemini CLI, Cursor. Some take a word or a number for a yes. */
const liftsSandbox = (also: JsonObject): boolean =>
  says(also.dangerouslyDisableSandbox, false) ||
  says(also.with_escalated_permissions, false) ||
  says(also.additional_permissions, null) ||
  says(also.sandbox_permissions, "use_default") ||
  says(also.required_permissions, null) ||
  says(also.sandbox, true);

/** Whether it says anything but this, or nothing. */
const says = (value: JsonValue | undefined, usual: JsonValue): boolean =>
  value !== undefined &&
  value !== null &&
  value !== usual &&
  JSON.stringify(value) !== "[]" &&
  JSON.stringify(value) !== "{}";

function raisedByCommand({ args, project, line }: PlacedCall): readonly RaisedBy[] {
  const argv = typeof args.line === "string" ? ["sh", "-c", args.line] : wordsIn(args.argv);
  const folder = typeof args.directory === "string" ? args.directory : "/";
  const isRead = line === null ? scriptAt(argv) === null : line.unread === null;
  const marks =
    line === null && isRead ? marksOfWords(argv, folder, project) : marksOf(line, project);
  return [
    ...(isRead ? [] : (["unreadable"] as const)),
    ...(commandDangers(argv).length > 0 ? (["dangerous"] as const) : []),
    ...(marks.some(isEachTime) ? (["special_place"] as const) : []),
    ...(marks.includes("outside") ? (["outside_project"] as const) : []),
  ];
}

/** Of what a line names. What is only read is special only where reading it is. */
function marksOf(line: FoundLine | null, project: readonly string[]): readonly PathMark[] {
  if (line === null) return [];
  const named = line.commands.flatMap(({ places }) => places);
  const read = line.commands.flatMap(({ reads }) => reads ?? []);
  const marks = [...named, line.directory].flatMap((path) => marksOfPath(path, project));
  const isSecret = read.some((path) => careFor(path, "read") === "each_time");
  const isOutside = ![...read, ...named, line.directory].every((path) =>
    project.some((folder) => isInFolder(folder, path)),
  );
  return [
    ...marks,
    ...(isSecret ? (["secrets"] as const) : []),
    ...(isOutside ? (["outside"] as const) : []),
  ];
}

const wordsIn = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((word) => typeof word === "string") : [];
