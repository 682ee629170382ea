import type { JsonObject } from "../../app/contract/json.ts";
import { argumentRows } from "./argument-rows.ts";
import { cutText } from "./cut-text.ts";
import { visibleString } from "./visible-text.ts";

const CHARACTERS = 160;

/**
 * What a call asked for, on one line, to recognize it by; the complete arguments are beside it.
 * Null: it had no arguments.
 */
export function askedLine(args: JsonObject): string | null {
  const texts = argumentRows(args).map(({ lines, text }) => lines?.join(" ") ?? text);
  const line = texts.join(" · ").replace(/\s+/g, " ").trim();
  if (line === "") return null;
  const cut = cutText(line, CHARACTERS);
  return visibleString(cut) + (cut === line ? "" : "…");
}
