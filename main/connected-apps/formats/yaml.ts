import { isMap, isScalar, parseDocument, type Range, stringify, type YAMLMap } from "yaml";
import { configTextError, type Format, inLinesOf, lineStart, onNewLine } from "./format.ts";

export const yaml: Format = {
  read(text) {
    const document = parseDocument(text, { uniqueKeys: true });
    if (document.errors.length > 0) throw configTextError("not_understood");
    return document.toJS();
  },
  add(whole, [table, name], entry) {
    const { braces } = yamlTable(whole, table) ?? {};
    const text = braces ? whole.slice(0, braces[0]).trimEnd() + whole.slice(braces[1]) : whole;
    const servers = yamlTable(text, table);
    const first = servers?.items[0];
    const width = first === undefined ? 2 : columnOf(text, startOf(first.key));
    const pair = stringify({ [name]: entry }, { indent: Math.max(2, width), lineWidth: 0 });
    const lines = pair.replace(/^(?=.)/gm, " ".repeat(width));
    const after = servers?.items.at(-1)?.value ?? servers?.key;
    const end = after === undefined ? text.length : lineEndAfter(text, lastOf(after));
    const head = after === undefined ? `${table}:\n` : "";
    return onNewLine(text.slice(0, end)) + inLinesOf(text, head + lines) + text.slice(end);
  },
  remove(text, [table, name]) {
    const pair = yamlTable(text, table)?.items.find(
      ({ key }) => isScalar(key) && key.value === name,
    );
    if (pair === undefined) throw configTextError("not_understood");
    const start = startOf(pair.key);
    const end = lineEndAfter(text, lastOf(pair.value ?? pair.key));
    return text.slice(0, lineStart(text, start)) + text.slice(end);
  },
};

interface YamlTable {
  readonly key: unknown;
  readonly items: YAMLMap["items"];
  /** Where `{}` begins and ends. */
  readonly braces?: Range;
}

/** Undefined when there is none. @throws ConfigTextError for one in braces that is not empty */
function yamlTable(text: string, table: string): YamlTable | undefined {
  const { contents } = parseDocument(text);
  if (contents === null) return undefined;
  if (!isMap(contents)) throw configTextError("not_understood");
  const pair = contents.items.find(({ key }) => isScalar(key) && key.value === table);
  if (pair === undefined) return undefined;
  const { key, value } = pair;
  if (value === null || (isScalar(value) && value.value === null)) return { key, items: [] };
  if (isMap(value) && value.flow === true && value.items.length === 0 && value.range) {
    return { key, items: [], braces: value.range };
  }
  if (!isMap(value) || value.flow === true) throw configTextError("not_understood");
  return { key, items: value.items };
}

const columnOf = (text: string, at: number): number => at - lineStart(text, at);

function lineEndAfter(text: string, at: number): number {
  const end = text.indexOf("\n", Math.max(0, at - 1));
  return end === -1 ? text.length : end + 1;
}

function startOf(node: unknown): number {
  if (isScalar(node) && node.range != null) return node.range[0];
  throw configTextError("not_understood");
}

/** Where the value's own text ends, without the comments and empty lines after it. */
function lastOf(node: unknown): number {
  if (isMap(node) && node.items.length > 0 && node.flow !== true) {
    const last = node.items.at(-1);
    return lastOf(last?.value ?? last?.key);
  }
  if (typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range)) {
    return Number(node.range[1]);
  }
  throw configTextError("not_understood");
}
