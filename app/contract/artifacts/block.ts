import type { Static } from "typebox";
import { guardOf } from "../checked.ts";
import { type JsonObject, ownValue } from "../json.ts";
import {
  ActionBlock,
  CheckboxBlock,
  CodeBlock,
  DividerBlock,
  FileBlock,
  InputBlock,
  ProgressBlock,
  SelectBlock,
  StatusBlock,
  TableBlock,
  TextBlock,
} from "./block-schemas.ts";
import { isDay } from "./day.ts";

export type SentFileBlock = Static<typeof FileBlock>;
export type InputField = Static<typeof InputBlock>;
export type SelectField = Static<typeof SelectBlock>;
type CheckboxField = Static<typeof CheckboxBlock>;
export type ArtifactAction = Static<typeof ActionBlock>;
/** What the person fills in. */
export type ArtifactField = InputField | SelectField | CheckboxField;

/** A block as an agent sends it. */
export type ArtifactBlock =
  | Static<typeof TextBlock>
  | Static<typeof DividerBlock>
  | Static<typeof StatusBlock>
  | Static<typeof ProgressBlock>
  | Static<typeof TableBlock>
  | Static<typeof CodeBlock>
  | SentFileBlock
  | ArtifactField
  | ArtifactAction;

/** A block that is not understood, as JSON. */
interface UnknownBlock {
  readonly tag: "unknown";
  readonly json: string;
}

export type ReadBlock = ArtifactBlock | UnknownBlock;

type Guard = (value: unknown) => value is ArtifactBlock;
const GUARDS: Readonly<Record<string, Guard>> = {
  text: guardOf(TextBlock),
  divider: guardOf(DividerBlock),
  status: guardOf(StatusBlock),
  progress: guardOf(ProgressBlock),
  table: guardOf(TableBlock),
  code: guardOf(CodeBlock),
  file: guardOf(FileBlock),
  input: guardOf(InputBlock),
  select: guardOf(SelectBlock),
  checkbox: guardOf(CheckboxBlock),
  action: guardOf(ActionBlock),
};

/** The blocks in their order. A key belongs to the first block that has it; a second one is unknown. */
export function readBlocks(sent: readonly JsonObject[]): readonly ReadBlock[] {
  const taken = new Set<string>();
  return sent.map((raw) => {
    const block = readBlock(raw);
    if (block.tag === "unknown" || block.key === undefined) return block;
    if (taken.has(block.key)) return unknown(raw);
    taken.add(block.key);
    return block;
  });
}

function readBlock(raw: JsonObject): ReadBlock {
  const tag = ownValue(raw, "tag");
  const guard = typeof tag === "string" && Object.hasOwn(GUARDS, tag) ? GUARDS[tag] : undefined;
  const value: unknown = raw;
  return guard?.(value) && isSound(value) ? value : unknown(raw);
}

const unknown = (raw: JsonObject): UnknownBlock => ({
  tag: "unknown",
  json: JSON.stringify(raw, null, 2),
});

/** What a schema cannot say. */
function isSound(block: ArtifactBlock): boolean {
  switch (block.tag) {
    case "table":
      return block.rows.every(({ length }) => length === block.columns.length);
    case "select":
      return isSoundSelect(block);
    case "input":
      return block.variant !== "date" || [block.min, block.max, block.value].every(isDayOrNone);
    default:
      return true;
  }
}

function isSoundSelect({ options, multiple = false, value }: SelectField): boolean {
  const values = new Set(options.map((option) => option.value));
  if (values.size !== options.length) return false;
  if (value === undefined) return true;
  if (multiple !== Array.isArray(value)) return false;
  return [value].flat().every((each) => values.has(each));
}

const isDayOrNone = (text: string | undefined): boolean => text === undefined || isDay(text);

export const isField = (block: ReadBlock): block is ArtifactField =>
  block.tag === "input" || block.tag === "select" || block.tag === "checkbox";
