import { fromBase64 } from "../base64.ts";
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

/** Declared here, and not read off the schemas, because they are types of the SDK too; all are JSON. */
type Keyed = {
  readonly key?: string;
};

/** What every field has. */
type Entered = {
  readonly key: string;
  readonly label: string;
  readonly required?: boolean;
};

export type SentFileBlock = {
  readonly tag: "file";
  readonly key: string;
  readonly filename: string;
  readonly mime?: string;
  /** Its content, base64 with padding. */
  readonly data: string;
};

type NumberField = Entered & {
  readonly tag: "input";
  readonly variant: "number";
  readonly min?: number;
  readonly max?: number;
  readonly value?: number;
};

type DateField = Entered & {
  readonly tag: "input";
  readonly variant: "date";
  /** These are days: `2026-01-31`. */
  readonly min?: string;
  readonly max?: string;
  readonly value?: string;
};

type TextField = Entered & {
  readonly tag: "input";
  readonly variant?: "text" | "textarea";
  readonly max_length?: number;
  readonly value?: string;
};

export type InputField = TextField | NumberField | DateField;

export type SelectField = Entered & {
  readonly tag: "select";
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** Several may be chosen: the answer is a list. */
  readonly multiple?: boolean;
  readonly value?: string | readonly string[];
};

type CheckboxField = Entered & {
  readonly tag: "checkbox";
  readonly value?: boolean;
};

export type ArtifactAction = {
  readonly tag: "action";
  readonly key: string;
  readonly label: string;
  readonly variant?: "primary" | "secondary" | "danger";
  /** False: what was entered is not checked and not sent, as for "Cancel". */
  readonly sends_values?: boolean;
};

/** What the person fills in. */
export type ArtifactField = InputField | SelectField | CheckboxField;

type Cell = string | number | boolean | null;

/** A block as an agent sends it. */
export type ArtifactBlock =
  | (Keyed & { readonly tag: "text"; readonly text: string; readonly markdown?: boolean })
  | (Keyed & { readonly tag: "divider" })
  | (Keyed & {
      readonly tag: "status";
      readonly text: string;
      readonly variant?: "info" | "success" | "warning" | "danger";
    })
  /** `value`: percent; absent: it is not known how far it is. */
  | (Keyed & { readonly tag: "progress"; readonly label: string; readonly value?: number })
  | (Keyed & {
      readonly tag: "table";
      readonly label?: string;
      readonly columns: readonly string[];
      readonly rows: readonly (readonly Cell[])[];
    })
  | (Keyed & { readonly tag: "code"; readonly label?: string; readonly text: string })
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
    case "file":
      return fromBase64(block.data) !== undefined;
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

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const LONGEST = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether this is a day of the Gregorian calendar, as YYYY-MM-DD. */
export function isDay(text: string): boolean {
  const [, year = "", month = "", day = ""] = DAY.exec(text) ?? [];
  const most = LONGEST[Number(month) - 1];
  if (most === undefined || Number(year) === 0) return false;
  const last = month === "02" && !isLeap(Number(year)) ? 28 : most;
  return Number(day) >= 1 && Number(day) <= last;
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
