import { isDeepStrictEqual } from "node:util";
import {
  asTable,
  type ConfigEntry,
  configTextError,
  type EntryPlace,
  type Format,
  tableIn,
  type Values,
} from "./formats/format.ts";
import { json, withItem, withoutItem } from "./formats/json.ts";
import { toml } from "./formats/toml.ts";
import { yaml } from "./formats/yaml.ts";

export { type ConfigEntry, configTextError, type EntryPlace };

const FORMATS = { json, toml, yaml } satisfies Record<string, Format>;
export type ConfigFormat = keyof typeof FORMATS;

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

/** A list of hooks in a JSON text, and how ours is told from the others. */
export interface ListPlace {
  readonly path: readonly string[];
  isOurs(item: unknown): boolean;
}

/**
 * The text with our item in the list, replacing one of ours; everything else stays as it is to the byte.
 * @throws ConfigTextError
 */
export function withListItem(text: string, place: ListPlace, item: ConfigEntry): string {
  const without = withoutListItem(text, place);
  const before = valuesIn("json", without);
  const list = [...listAt(before, place.path), item];
  return checked("json", withItem(without, place.path, item), replaced(before, place.path, list));
}

/**
 * The text without our items in the list; the same text if there are none.
 * @throws ConfigTextError
 */
export function withoutListItem(text: string, { path, isOurs }: ListPlace): string {
  const before = valuesIn("json", text);
  const list = listAt(before, path);
  const places = list.flatMap((item, at) => (isOurs(item) ? [at] : []));
  if (places.length === 0) return text;
  const others = list.filter((item) => !isOurs(item));
  const left = places.reduceRight((rest, at) => withoutItem(rest, path, at), text);
  return checked("json", left, replaced(before, path, others));
}

/** Our items as they stand in the list. @throws ConfigTextError */
export const ownItemsIn = (text: string, { path, isOurs }: ListPlace): readonly unknown[] =>
  listAt(valuesIn("json", text), path).filter(isOurs);

function listAt(values: Values, path: readonly string[]): readonly unknown[] {
  const [name = "", ...below] = path;
  if (below.length > 0) return listAt(tableIn(values, name), below);
  const list = Object.hasOwn(values, name) ? values[name] : [];
  if (!Array.isArray(list)) throw configTextError("not_understood");
  return list;
}

function replaced(values: Values, path: readonly string[], list: readonly unknown[]): Values {
  const [name = "", ...below] = path;
  const inner = below.length === 0 ? list : replaced(tableIn(values, name), below, list);
  return { ...values, [name]: inner };
}

/** What an edit must leave is known beforehand; a library that leaves anything else is not believed. */
function checked(format: ConfigFormat, text: string, expected: Values): string {
  if (!isDeepStrictEqual(plain(valuesIn(format, text)), plain(expected)))
    throw configTextError("not_understood");
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
    throw configTextError("not_understood");
  }
  if (values === null || values === undefined) return {};
  return asTable(values);
}
