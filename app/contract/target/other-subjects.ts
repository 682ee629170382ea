import type { JsonValue } from "../json.ts";
import { isOnlyReading } from "../tools/only-reading.ts";
import { pathOf } from "./file-subjects.ts";
import { marksOfWords } from "./marks-of-path.ts";
import type { BareKind, CallTarget, TargetedCall } from "./target.ts";
import { targetAddress, targetHost } from "./target-address.ts";
import { targetCommand } from "./target-command.ts";
import { targetText } from "./target-text.ts";

type Subject = (call: TargetedCall) => CallTarget | null;

const NOTHING_MORE = { count: null, marks: [] };

/** @param says the arguments that the kind alone conveys */
export const bare = (kind: BareKind, says: readonly string[]): CallTarget => ({
  kind,
  parts: {},
  ...NOTHING_MORE,
  says,
});

export const clipboardRead: Subject = ({ arguments: { format } }) =>
  bare(format === "image" ? "read_clipboard_image" : "read_clipboard", ["format"]);

export const located: Subject = ({ arguments: { accuracy } }) =>
  bare(accuracy === "fine" ? "locate_exactly" : "locate", ["accuracy"]);

export const copied: Subject = ({ arguments: { text, image } }) => {
  if (image !== undefined) return bare("copy_image", []);
  return typeof text === "string" ? quoting("copy_text", "text", text) : null;
};

export const notified: Subject = ({ arguments: { title } }) =>
  typeof title === "string" ? quoting("notify", "title", title) : null;

function quoting(kind: "copy_text" | "notify", argument: string, value: string): CallTarget {
  const text = targetText(value);
  return { kind, parts: { text }, ...NOTHING_MORE, says: text.whole ? [argument] : [] };
}

export const fetched: Subject = ({ arguments: args }) => {
  const { url, method } = args;
  if (typeof url !== "string") return null;
  const reads = isOnlyReading(args);
  const address = reads ? targetAddress(url) : targetHost(url);
  if (address === null) return null;
  const kind = !reads ? "send" : method === "HEAD" ? "fetch_headers" : "fetch";
  const says = reads ? [...(address.whole ? ["url"] : []), "method"] : [];
  return { kind, parts: { address }, ...NOTHING_MORE, says };
};

export const run: Subject = (call) => {
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
