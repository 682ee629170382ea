import { assertNever } from "../../app/contract/assert-never.ts";
import type { CallTarget, TargetCount } from "../../app/contract/target/target.ts";
import { toolLabel } from "../../i18n/index.ts";
import type { Texts } from "../language.tsx";
import { byteSize, numberText } from "./format.ts";
import { visibleString } from "./visible-text.ts";

type PartIn<T> = T extends { readonly parts: infer Parts } ? Parts[keyof Parts] : never;
export type TargetPart = PartIn<CallTarget>;

/** A target's parts, by the names used in its sentence. */
export const partsOf = ({ parts }: CallTarget): readonly (readonly [string, TargetPart])[] =>
  Object.entries(parts);

/** A part as one text; invisible characters are not escaped yet. */
export function partText(part: TargetPart): string {
  switch (part.kind) {
    case "path":
      return part.lead + part.name;
    case "address":
      return part.lead + part.host + part.rest;
    case "command":
    case "text":
      return part.text;
    default:
      return assertNever(part);
  }
}

/** The target as a sentence. @param fill the text for each part; a page splits there */
export function targetSentence(
  { t, language }: Texts,
  target: CallTarget,
  toolName: string,
  fill: Fill = asText,
): string {
  if (target.kind === "other") return visibleString(toolLabel(language, toolName));
  return t(`target.${target.kind}`, Object.fromEntries(filled(target, fill)));
}

/** The same as the question of a card whose block shows the text of it. */
export function targetQuestion(
  texts: Texts,
  target: CallTarget,
  toolName: string,
  fill: Fill,
): string {
  switch (target.kind) {
    case "run":
    case "copy_text":
    case "notify":
    case "approve_plan":
    case "answer_question":
      return texts.t(`consent.question.${target.kind}`, Object.fromEntries(filled(target, fill)));
    default:
      return texts.t("consent.question.any", {
        text: targetSentence(texts, target, toolName, fill),
      });
  }
}

type Fill = (name: string, part: TargetPart) => string;

const asText: Fill = (_, part) => visibleString(partText(part));

const filled = (target: CallTarget, fill: Fill): readonly string[][] =>
  partsOf(target).map(([name, part]) => [name, fill(name, part)]);

/** What would change, as signs and numbers; `heard`: as words for screen readers. */
export function countWords(
  { t, language }: Texts,
  count: TargetCount,
): { readonly seen: string; readonly heard: string } {
  const number = (value: number): string => numberText(language, value);
  switch (count.kind) {
    case "lines": {
      const values = { added: number(count.added), removed: number(count.removed) };
      return {
        seen: `+${values.added} −${values.removed}`,
        heard: t("target.count.lines", values),
      };
    }
    case "entries": {
      const { count: entries } = count;
      const text = t("target.count.entries", { count: entries, number: number(entries) });
      return { seen: text, heard: text };
    }
    case "bytes": {
      const text = byteSize(language, count.count);
      return { seen: text, heard: text };
    }
    default:
      return assertNever(count);
  }
}

/** The whole target as text, for screen readers and places without markup. */
export function targetHeard(texts: Texts, target: CallTarget, toolName: string): string {
  const sentence = targetSentence(texts, target, toolName);
  return target.count === null
    ? sentence
    : `${sentence} · ${countWords(texts, target.count).heard}`;
}
