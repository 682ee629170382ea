import { errorKind } from "../../../app/contract/coded-error.ts";

/** What is put into another program's configuration: plain values only. */
export type ConfigEntry = { readonly [key: string]: ConfigValue };
export type ConfigValue =
  | string
  | number
  | boolean
  | readonly (string | ConfigEntry)[]
  | ConfigEntry;

/** The table that lists MCP servers, and our name in it. */
export type EntryPlace = readonly [table: string, name: string];

/** The text is not what its format says, or holds something else where the table belongs. */
export const configTextError = errorKind<"not_understood">("ConfigTextError");

/** How an entry is put into a text of one format and taken out, all other bytes staying as they are. */
export interface Format {
  /** The whole text as values. Throws for text that is not of this format. */
  read(text: string): unknown;
  add(text: string, place: EntryPlace, entry: ConfigEntry): string;
  remove(text: string, place: EntryPlace): string;
}

export type Values = Readonly<Record<string, unknown>>;

/** @throws ConfigTextError for a text, a list and the like */
export function asTable(value: unknown): Values {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw configTextError("not_understood");
  }
  return value as Values;
}

/** The table as it is, or an empty one. @throws ConfigTextError */
export const tableIn = (values: Values, table: string): Values =>
  Object.hasOwn(values, table) && values[table] !== null ? asTable(values[table]) : {};

const lineEnd = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");
export const inLinesOf = (text: string, block: string): string =>
  block.replaceAll("\n", lineEnd(text));
export const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;
export const onNewLine = (text: string): string =>
  text === "" || text.endsWith("\n") ? text : text + lineEnd(text);
