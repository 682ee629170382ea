import { isDeepStrictEqual } from "node:util";
import {
  parse as parseToml,
  patch as patchToml,
  stringify as stringifyToml,
} from "@decimalturn/toml-patch";
import * as jsonc from "jsonc-parser";
import { isMap, isScalar, parseDocument, stringify as stringifyYaml, type YAMLMap } from "yaml";

export type ConfigFormat = "json" | "toml" | "yaml";

/** What is put into another program's configuration: plain values only. */
export type ConfigEntry = { readonly [key: string]: ConfigValue };
type ConfigValue = string | number | boolean | readonly string[] | ConfigEntry;

/** The table that lists MCP servers, and our name in it. */
export type EntryPlace = readonly [table: string, name: string];

/** The text is not what its format says, or holds something else where the table belongs. */
export class ConfigTextError extends Error {
  override readonly name = "ConfigTextError";
}

interface Format {
  /** The whole text as values. Throws for text that is not of this format. */
  read(text: string): unknown;
  add(text: string, place: EntryPlace, entry: ConfigEntry): string;
  remove(text: string, place: EntryPlace): string;
}

/**
 * The text with the entry in its place, replacing one of the same name; everything else stays as it
 * is to the byte.
 * @throws ConfigTextError
 */
export function withEntry(
  format: ConfigFormat,
  text: string,
  place: EntryPlace,
  entry: ConfigEntry,
): string {
  const without = withoutEntry(format, text, place);
  const [table, name] = place;
  const before = valuesIn(format, without);
  return checked(format, FORMATS[format].add(without, place, entry), {
    ...before,
    [table]: { ...tableIn(before, table), [name]: entry },
  });
}

/**
 * The text without the entry; the same text if it has none.
 * @throws ConfigTextError
 */
export function withoutEntry(format: ConfigFormat, text: string, place: EntryPlace): string {
  const [table, name] = place;
  const before = valuesIn(format, text);
  const servers = tableIn(before, table);
  if (!Object.hasOwn(servers, name)) return text;
  const { [name]: _, ...others } = servers;
  return checked(format, FORMATS[format].remove(text, place), { ...before, [table]: others });
}

/**
 * The entry as it stands in the text; undefined if there is none.
 * @throws ConfigTextError
 */
export function entryIn(format: ConfigFormat, text: string, [table, name]: EntryPlace): unknown {
  const servers = tableIn(valuesIn(format, text), table);
  return Object.hasOwn(servers, name) ? servers[name] : undefined;
}

type Values = Readonly<Record<string, unknown>>;

/** What an edit must leave is known beforehand; a library that leaves anything else is not believed. */
function checked(format: ConfigFormat, text: string, expected: Values): string {
  if (!isDeepStrictEqual(plain(valuesIn(format, text)), plain(expected)))
    throw new ConfigTextError();
  return text;
}

/** An empty table and a missing one mean the same to every program here. */
const plain = (values: Values): Values =>
  structuredClone(
    Object.fromEntries(
      Object.entries(values).filter(([, value]) => !isDeepStrictEqual(value, {}) && value !== null),
    ),
  );

function valuesIn(format: ConfigFormat, text: string): Values {
  if (text.trim() === "") return {};
  let values: unknown;
  try {
    values = FORMATS[format].read(text);
  } catch {
    throw new ConfigTextError();
  }
  if (values === null || values === undefined) return {};
  return asTable(values);
}

const tableIn = (values: Values, table: string): Values =>
  Object.hasOwn(values, table) && values[table] !== null ? asTable(values[table]) : {};

function asTable(value: unknown): Values {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new ConfigTextError();
  return value as Values;
}

const lineEnd = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");
const inLinesOf = (text: string, block: string): string => block.replaceAll("\n", lineEnd(text));
const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;
const onNewLine = (text: string): string =>
  text === "" || text.endsWith("\n") ? text : text + lineEnd(text);

/** Comments and trailing commas are allowed: several of these programs write them. */
const json: Format = {
  read(text) {
    const errors: jsonc.ParseError[] = [];
    const values: unknown = jsonc.parse(text, errors, { allowTrailingComma: true });
    if (errors.length > 0) throw new ConfigTextError();
    return values;
  },
  add(text, [table, name], entry) {
    const whole = text.trim() === "" ? "{}\n" : text;
    const root = jsonc.parseTree(whole);
    const servers = root && jsonc.findNodeAtLocation(root, [table]);
    return servers === undefined
      ? addProperty(whole, root, table, { [name]: entry })
      : addProperty(whole, servers, name, entry);
  },
  remove: (text, place) => jsonc.applyEdits(text, jsonc.modify(text, [...place], undefined, {})),
};

/** Our own, because the library's insertion formats the neighbours too. */
function addProperty(
  text: string,
  object: jsonc.Node | undefined,
  key: string,
  value: ConfigEntry,
): string {
  if (object?.type !== "object") throw new ConfigTextError();
  const last = object.children?.at(-1);
  const outer = indentAt(text, object.offset);
  const unit = /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";
  const inner = outer + unit;
  const pretty = `${JSON.stringify(key)}: ${JSON.stringify(value, null, unit)}`;
  const line = `\n${pretty.replace(/^/gm, inner)}`;
  const at = last === undefined ? object.offset + 1 : last.offset + last.length;
  const rest = text.slice(at);
  // A brace on the same line goes to one of its own.
  const tail = /^,?[ \t]*}/.test(rest) ? `\n${outer}` : "";
  return text.slice(0, at) + inLinesOf(text, (last === undefined ? "" : ",") + line + tail) + rest;
}

const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(lineStart(text, at)))?.[0] ?? "";

const toml: Format = {
  read: (text) => parseToml(text),
  /** A table of its own at the end is valid wherever the others are. */
  add(text, place, entry) {
    const lines = stringifyToml(entry).trimEnd();
    const block = `[${place.join(".")}]\n${lines}\n`;
    const start = onNewLine(text);
    return start + inLinesOf(text, start === "" ? block : `\n${block}`);
  },
  remove(text, [table, name]) {
    const values = asTable(parseToml(text));
    const { [name]: _, ...others } = tableIn(values, table);
    const { [table]: __, ...rest } = values;
    const isLast = Object.keys(others).length === 0;
    return patchToml(text, isLast ? rest : { ...values, [table]: others });
  },
};

const yaml: Format = {
  read(text) {
    const document = parseDocument(text, { uniqueKeys: true });
    if (document.errors.length > 0) throw new ConfigTextError();
    return document.toJS();
  },
  add(text, [table, name], entry) {
    const servers = yamlTable(text, table);
    const first = servers?.items[0];
    const width = first === undefined ? 2 : columnOf(text, startOf(first.key));
    const pair = stringifyYaml({ [name]: entry }, { indent: Math.max(2, width), lineWidth: 0 });
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
    if (pair === undefined) throw new ConfigTextError();
    const start = startOf(pair.key);
    const end = lineEndAfter(text, lastOf(pair.value ?? pair.key));
    return text.slice(0, lineStart(text, start)) + text.slice(end);
  },
};

interface YamlTable {
  readonly key: unknown;
  readonly items: YAMLMap["items"];
}

/** Undefined when there is none. @throws ConfigTextError for one that is not in block style */
function yamlTable(text: string, table: string): YamlTable | undefined {
  const { contents } = parseDocument(text);
  if (contents === null) return undefined;
  if (!isMap(contents)) throw new ConfigTextError();
  const pair = contents.items.find(({ key }) => isScalar(key) && key.value === table);
  if (pair === undefined) return undefined;
  const { key, value } = pair;
  if (value === null || (isScalar(value) && value.value === null)) return { key, items: [] };
  if (!isMap(value) || value.flow === true) throw new ConfigTextError();
  return { key, items: value.items };
}

const columnOf = (text: string, at: number): number => at - lineStart(text, at);

function lineEndAfter(text: string, at: number): number {
  const end = text.indexOf("\n", Math.max(0, at - 1));
  return end === -1 ? text.length : end + 1;
}

function startOf(node: unknown): number {
  if (isScalar(node) && node.range != null) return node.range[0];
  throw new ConfigTextError();
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
  throw new ConfigTextError();
}

const FORMATS: Readonly<Record<ConfigFormat, Format>> = { json, toml, yaml };
