import type { RaisedBy } from "../contract/consent-request.ts";
import { isInFolder, plainPath } from "../contract/folder-path.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../contract/json.ts";
import { commandDangers, scriptAt } from "../contract/target/command-dangers.ts";
import { marksOfWords } from "../contract/target/path-marks.ts";
import { careFor, isEachTime, usesOf } from "../contract/target/special-places.ts";
import type { ToolContract } from "../contract/tools/tool-contract.ts";
import { placesIn } from "./call-facts.ts";

interface Placed {
  /** With every link resolved. */
  readonly args: JsonObject;
  /** The folders that the agent has open; none: not known, and everything is outside. */
  readonly project: readonly string[];
}

/** Why a single call of what an agent carries out itself is high (contract §3); none: it is as its scope. */
export function raisedBy(
  { name, scope }: Pick<ToolContract, "name" | "scope">,
  { args, project }: Placed,
): readonly RaisedBy[] {
  const found = new Set<RaisedBy>();
  const use = usesOf(scope);
  for (const named of placesIn(args)) {
    const path = plainPath(named);
    if (careFor(path, use) === "each_time") found.add("special_place");
    if (path === null || !project.some((folder) => isInFolder(folder, path))) {
      found.add("outside_project");
    }
  }
  if (name === "run_command") for (const each of raisedByCommand(args, project)) found.add(each);
  if (args.destructive === true) found.add("destructive");
  if (isJsonObject(args.also) && liftsSandbox(args.also)) found.add("leaves_sandbox");
  return [...found];
}

/** What agents call it: Claude Code, Codex, Cursor. */
const liftsSandbox = (also: JsonObject): boolean =>
  also.dangerouslyDisableSandbox === true ||
  also.with_escalated_permissions === true ||
  says(also.sandbox_permissions, "use_default") ||
  says(also.required_permissions, null) ||
  says(also.sandbox, true);

/** Whether it says anything but this, or nothing. */
const says = (value: JsonValue | undefined, usual: JsonValue): boolean =>
  value !== undefined &&
  value !== null &&
  value !== usual &&
  !(Array.isArray(value) && value.length === 0);

/** Only this much of a line is read: words without quotes, expansions or operators. */
const PLAIN_LINE = /^[\w@%+=:,./ -]+$/;

function raisedByCommand(args: JsonObject, project: readonly string[]): readonly RaisedBy[] {
  const { line, shell, directory } = args;
  const argv = typeof line === "string" ? ["sh", "-c", line] : wordsIn(args.argv);
  const script = scriptAt(argv);
  const text = script === null ? null : (argv[script] ?? "");
  const isRead = text === null || (PLAIN_LINE.test(text) && (line === undefined || shell === "sh"));
  const words = text === null ? argv : text.split(" ").filter((word) => word !== "");
  const folder = typeof directory === "string" ? directory : "/";
  const marks = isRead ? marksOfWords(words, folder, project) : [];
  return [
    ...(isRead ? [] : (["unreadable"] as const)),
    ...(commandDangers(argv).length > 0 ? (["dangerous"] as const) : []),
    ...(marks.some(isEachTime) ? (["special_place"] as const) : []),
    ...(marks.includes("outside") ? (["outside_project"] as const) : []),
  ];
}

const wordsIn = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((word) => typeof word === "string") : [];
