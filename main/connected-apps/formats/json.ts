import * as jsonc from "jsonc-parser";
import {
  type ConfigEntry,
  type ConfigValue,
  configTextError,
  type Format,
  inLinesOf,
  lineStart,
} from "./format.ts";

/** Comments and trailing commas are allowed: several of these programs write them. */
export const json: Format = {
  read(text) {
    const errors: jsonc.ParseError[] = [];
    const values: unknown = jsonc.parse(text, errors, { allowTrailingComma: true });
    if (errors.length > 0) throw configTextError("not_understood");
    return values;
  },
  add(text, [table, name], entry) {
    const whole = text.trim() === "" ? "{}\n" : text;
    const root = jsonc.parseTree(whole);
    const servers = nodeAt(root, [table]);
    return servers === undefined
      ? addLast(whole, root, "object", { [name]: entry }, table)
      : addLast(whole, servers, "object", entry, name);
  },
  remove: (text, place) => withoutNode(text, place),
};

/**
 * The text with `item` last in the list at this path, which is made where it is missing.
 * @throws configTextError if something else stands on the path
 */
export function withItem(text: string, path: readonly string[], item: ConfigEntry): string {
  const whole = text.trim() === "" ? "{}\n" : text;
  const root = jsonc.parseTree(whole);
  const depth =
    path.findLastIndex((_, at) => nodeAt(root, path.slice(0, at + 1)) !== undefined) + 1;
  const list = nodeAt(root, path);
  if (list !== undefined) return addLast(whole, list, "array", item);
  const [key = "", ...below] = path.slice(depth);
  const value = below.reduceRight<ConfigValue>((inner, name) => ({ [name]: inner }), [item]);
  return addLast(whole, nodeAt(root, path.slice(0, depth)), "object", value, key);
}

/** The text without the item at this place of the list. */
export const withoutItem = (text: string, path: readonly string[], at: number): string =>
  withoutNode(text, [...path, at]);

const nodeAt = (
  root: jsonc.Node | undefined,
  path: readonly (string | number)[],
): jsonc.Node | undefined => root && jsonc.findNodeAtLocation(root, [...path]);

/** Comments on the rest of a line; they belong to what stands before them. */
const LINE_COMMENTS = /(?:[ \t]*\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/y;
/** The same up to a line end without anything else. */
const LINE_REST =
  /(?:[ \t]*\/\*(?:[^*\n]|\*(?!\/))*\*\/)*(?:[ \t]*\/\/[^\r\n]*)?[ \t]*(?:\r?\n|$)/y;
const BEFORE_COMMA = /(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\n]*)*,/y;

/** Where a match of a sticky expression at this place ends; null: there is none. */
function matchEnd(expression: RegExp, text: string, at: number): number | null {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : null;
}

/** Our own, because the library's insertion formats the neighbors, and moves their comments. */
function addLast(
  text: string,
  node: jsonc.Node | undefined,
  kind: "array" | "object",
  value: ConfigValue,
  key?: string,
): string {
  if (node?.type !== kind) throw configTextError("not_understood");
  const last = node.children?.at(-1);
  const outer = indentAt(text, node.offset);
  const unit = /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";
  const named = key === undefined ? "" : `${JSON.stringify(key)}: `;
  const pretty = named + JSON.stringify(value, null, unit);
  const line = `\n${pretty.replace(/^/gm, outer + unit)}`;
  const after = last === undefined ? node.offset + 1 : last.offset + last.length;
  const comma = last === undefined ? null : matchEnd(BEFORE_COMMA, text, after);
  const at = matchEnd(LINE_COMMENTS, text, comma ?? after) ?? after;
  const rest = text.slice(at);
  // A bracket on the same line goes to one of its own.
  const tail = /^[ \t]*[}\]]/.test(rest) ? `\n${outer}` : "";
  const ours = inLinesOf(text, line + (comma === null ? "" : ",") + tail);
  const separator = last === undefined || comma !== null ? "" : ",";
  return text.slice(0, after) + separator + text.slice(after, at) + ours + rest;
}

/** Our own, because the library's removal takes the neighbors' comments too. */
function withoutNode(text: string, path: readonly (string | number)[]): string {
  const found = nodeAt(jsonc.parseTree(text), path);
  const node = found?.parent?.type === "property" ? found.parent : found;
  const siblings = node?.parent?.children ?? [];
  if (node === undefined) throw configTextError("not_understood");
  const before = siblings[siblings.indexOf(node) - 1];
  const after = node.offset + node.length;
  const comma = matchEnd(BEFORE_COMMA, text, after);
  const start = lineStart(text, node.offset);
  const lineEnd = matchEnd(LINE_REST, text, comma ?? after);
  const isAlone = lineEnd !== null && text.slice(start, node.offset).trim() === "";
  const from = isAlone ? start : node.offset;
  const rest = text.slice(isAlone ? lineEnd : (comma ?? after));
  if (comma !== null || before === undefined) return text.slice(0, from) + rest;
  const separator = matchEnd(BEFORE_COMMA, text, before.offset + before.length) ?? from;
  return text.slice(0, separator - 1) + text.slice(separator, from) + rest;
}

const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(lineStart(text, at)))?.[0] ?? "";
