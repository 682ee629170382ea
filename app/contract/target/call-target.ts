import { ownToolName, type ToolName } from "../catalogue.ts";
import { namesOf } from "../folder-path.ts";
import type { JsonValue } from "../json.ts";
import { isOnlyReading } from "../tools/fetch-url.ts";
import { marksOfPath, marksOfWords, type PathMark, runsByName } from "./path-marks.ts";
import {
  type BareKind,
  type CallTarget,
  type OnePathKind,
  type TargetCount,
  type TargetedCall,
  type TargetPath,
  targetAddress,
  targetCommand,
  targetHost,
  targetPath,
  targetText,
} from "./target.ts";

interface Found {
  readonly path: TargetPath;
  readonly marks: readonly PathMark[];
  readonly says: readonly string[];
}

/** The path in one argument; null where there is none to show. */
function pathOf(
  { arguments: args, folders }: TargetedCall,
  argument: string,
  share = 1,
): Found | null {
  const value = args[argument];
  const path = typeof value === "string" ? targetPath(value, folders, share) : null;
  if (path === null) return null;
  const marks = marksOfPath(path.path, folders);
  return { path, marks, says: path.whole ? [argument] : [] };
}

const about = (
  kind: OnePathKind,
  { path, marks, says }: Found,
  count: TargetCount | null = null,
): CallTarget => ({ kind, parts: { path }, count, marks, says });

const onePath =
  (kind: OnePathKind): Subject =>
  (call) => {
    const found = pathOf(call, "path");
    return found === null ? null : about(kind, found);
  };

const searched: Subject = (call) => {
  const found = pathOf(call, "path", 2);
  if (found === null) return null;
  const { path, marks } = found;
  const text = quoted(call, "text");
  const names = quoted(call, "glob");
  const says = [...found.says, ...(text?.whole ? ["text"] : []), ...(names?.whole ? ["glob"] : [])];
  const rest = { count: null, marks, says };
  if (text !== null && names !== null) {
    return { kind: "search_both", parts: { path, text, names }, ...rest };
  }
  if (text !== null) return { kind: "search_text", parts: { path, text }, ...rest };
  if (names !== null) return { kind: "search_names", parts: { path, names }, ...rest };
  return about("search", found);
};

function quoted({ arguments: args }: TargetedCall, argument: string) {
  const value = args[argument];
  return typeof value === "string" ? targetText(value) : null;
}

const written: Subject = (call) => {
  const found = pathOf(call, "path");
  if (found === null) return null;
  const { preview } = call;
  const isChange = preview?.kind === "text_change" || preview?.kind === "bytes_change";
  const kind = !isChange || preview.change === "edit" ? "write" : preview.change;
  return about(kind, withFileMarks(found, call, startsScript(call.arguments)), countOf(call));
};

const edited: Subject = (call) => {
  const found = pathOf(call, "path");
  if (found === null) return null;
  return about("edit", withFileMarks(found, call, false), countOf(call));
};

/** Adds the marks of a file that can be run once it is written, and of one that has another name. */
function withFileMarks(found: Found, { preview }: TargetedCall, startsAsScript: boolean): Found {
  const isChange = preview?.kind === "text_change" || preview?.kind === "bytes_change";
  const runs =
    startsAsScript ||
    (isChange && preview.executable) ||
    (preview?.kind === "text_change" && beginsAsScript(preview)) ||
    namesProgram(found.path);
  const more: readonly PathMark[] = [
    ...(runs ? ["executable" as const] : []),
    ...(isChange && preview.linked === true ? ["linked" as const] : []),
  ];
  return { ...found, marks: [...found.marks, ...more] };
}

const namesProgram = ({ path }: TargetPath): boolean => runsByName(namesOf(path)?.at(-1) ?? "");

/** `#!` in text and in base64. */
const startsScript = ({ content, encoding }: TargetedCall["arguments"]): boolean =>
  typeof content === "string" && content.startsWith(encoding === "base64" ? "IyE" : "#!");

/** Where the difference shows the first line as it will be. */
function beginsAsScript({ hunks }: TextChange): boolean {
  const first = hunks.find(({ new_start }) => new_start <= 1);
  return first?.lines.find(({ kind }) => kind !== "removed")?.text.startsWith("#!") ?? false;
}

type TextChange = Extract<NonNullable<TargetedCall["preview"]>, { kind: "text_change" }>;

function countOf({ preview }: TargetedCall): TargetCount | null {
  if (preview?.kind === "bytes_change") return { kind: "bytes", count: preview.size_after };
  if (preview?.kind !== "text_change") return null;
  const lines = preview.hunks.flatMap((hunk) => hunk.lines);
  const count = (kind: "added" | "removed") => lines.filter((line) => line.kind === kind).length;
  return { kind: "lines", added: count("added"), removed: count("removed") };
}

const moved: Subject = (call) => {
  const from = pathOf(call, "from", 2);
  const to = pathOf(call, "to", 2);
  if (from === null || to === null) return null;
  const runs: readonly PathMark[] = namesProgram(to.path) ? ["executable"] : [];
  return {
    kind: "move",
    parts: { from: from.path, to: to.path },
    count: entriesOf(call),
    marks: [...new Set([...to.marks, ...from.marks, ...runs])],
    says: [...from.says, ...to.says],
  };
};

const deleted: Subject = (call) => {
  const found = pathOf(call, "path");
  if (found === null) return null;
  const { preview } = call;
  const isFolder = preview?.kind === "entry" && preview.entry === "directory";
  return about(isFolder ? "delete_folder" : "delete", found, entriesOf(call));
};

const entriesOf = ({ preview }: TargetedCall): TargetCount | null =>
  preview?.kind === "entry" && preview.entries !== null
    ? { kind: "entries", count: preview.entries }
    : null;

type Subject = (call: TargetedCall) => CallTarget | null;

const NOTHING_MORE = { count: null, marks: [] };

/** @param says the arguments that the kind alone conveys */
const bare = (kind: BareKind, says: readonly string[]): CallTarget => ({
  kind,
  parts: {},
  ...NOTHING_MORE,
  says,
});

const clipboardRead: Subject = ({ arguments: { format } }) =>
  bare(format === "image" ? "read_clipboard_image" : "read_clipboard", ["format"]);

const located: Subject = ({ arguments: { accuracy } }) =>
  bare(accuracy === "fine" ? "locate_exactly" : "locate", ["accuracy"]);

const copied: Subject = ({ arguments: { text, image } }) => {
  if (image !== undefined) return bare("copy_image", []);
  return typeof text === "string" ? quoting("copy_text", "text", text) : null;
};

const notified: Subject = ({ arguments: { title } }) =>
  typeof title === "string" ? quoting("notify", "title", title) : null;

function quoting(kind: "copy_text" | "notify", argument: string, value: string): CallTarget {
  const text = targetText(value);
  return { kind, parts: { text }, ...NOTHING_MORE, says: text.whole ? [argument] : [] };
}

const fetched: Subject = ({ arguments: args }) => {
  const { url, method } = args;
  if (typeof url !== "string") return null;
  const reads = isOnlyReading(args);
  const address = reads ? targetAddress(url) : targetHost(url);
  if (address === null) return null;
  const kind = !reads ? "send" : method === "HEAD" ? "fetch_headers" : "fetch";
  const says = reads ? [...(address.whole ? ["url"] : []), "method"] : [];
  return { kind, parts: { address }, ...NOTHING_MORE, says };
};

const run: Subject = (call) => {
  const { argv, directory } = call.arguments;
  const folder = pathOf(call, "directory", 2);
  if (folder === null || typeof directory !== "string" || !isTexts(argv)) return null;
  const command = targetCommand(argv);
  return {
    kind: "run",
    parts: { command, path: folder.path },
    count: null,
    marks: [...new Set([...folder.marks, ...marksOfWords(argv, directory, call.folders)])],
    says: [...folder.says, ...(command.whole ? ["argv"] : [])],
  };
};

const isTexts = (value: JsonValue | undefined): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string");

const SUBJECTS: Readonly<Record<ToolName, (call: TargetedCall) => CallTarget | null>> = {
  read_file: onePath("read"),
  list_directory: onePath("list"),
  get_file_info: onePath("inspect"),
  create_directory: onePath("make_folder"),
  search_files: searched,
  write_file: written,
  edit_file: edited,
  move_file: moved,
  delete_file: deleted,
  read_clipboard: clipboardRead,
  write_clipboard: copied,
  send_notification: notified,
  fetch_url: fetched,
  get_location: located,
  run_command: run,
};

const isOurs = (name: string): name is ToolName => Object.hasOwn(SUBJECTS, name);

/**
 * What a call is about. Arguments may have any shape: a call refused for them is shown too.
 */
export function callTarget(call: TargetedCall): CallTarget {
  const name = ownToolName(call.tool_name);
  return (isOurs(name) ? SUBJECTS[name](call) : null) ?? bare("other", []);
}
