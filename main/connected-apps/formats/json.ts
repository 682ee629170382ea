import * as jsonc from "jsonc-parser";
import {
  type ConfigEntry,
  ConfigTextError,
  type ConfigValue,
  type Format,
  inLinesOf,
  lineStart,
} from "./format.ts";

/** Comments and trailing commas are allowed: several of these programs write them. */
export const json: Format = {
  read(text) {
    const errors: jsonc.ParseError[] = [];
    const values: unknown = jsonc.parse(text, errors, { allowTrailingComma: true });
    if (errors.length > 0) throw new ConfigTextError();
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
  remove: (text, place) => jsonc.applyEdits(text, jsonc.modify(text, [...place], undefined, {})),
};

/**
 * The text with `item` last in the list at this path, which is made where it is missing.
 * @throws ConfigTextError if something else stands on the path
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
  jsonc.applyEdits(text, jsonc.modify(text, [...path, at], undefined, {}));

const nodeAt = (root: jsonc.Node | undefined, path: readonly string[]): jsonc.Node | undefined =>
  root && jsonc.findNodeAtLocation(root, [...path]);

/** Our own, because the library's insertion formats the neighbours too. */
function addLast(
  text: string,
  node: jsonc.Node | undefined,
  kind: "array" | "object",
  value: ConfigValue,
  key?: string,
): string {
  if (node?.type !== kind) throw new ConfigTextError();
  const last = node.children?.at(-1);
  const outer = indentAt(text, node.offset);
  const unit = /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";
  const named = key === undefined ? "" : `${JSON.stringify(key)}: `;
  const pretty = named + JSON.stringify(value, null, unit);
  const line = `\n${pretty.replace(/^/gm, outer + unit)}`;
  const at = last === undefined ? node.offset + 1 : last.offset + last.length;
  const rest = text.slice(at);
  // A bracket on the same line goes to one of its own.
  const tail = /^,?[ \t]*[}\]]/.test(rest) ? `\n${outer}` : "";
  return text.slice(0, at) + inLinesOf(text, (last === undefined ? "" : ",") + line + tail) + rest;
}

const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(lineStart(text, at)))?.[0] ?? "";
