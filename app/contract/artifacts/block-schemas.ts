import Type from "typebox";
import { LIMITS } from "../limits.ts";

/**
 * The blocks of an artifact, as they are sent. Other fields are ignored; a block that does not fit its
 * schema, or has a tag that is not here, is unknown.
 */
export const BlockKey = Type.String({
  pattern: `^[A-Za-z][A-Za-z0-9_-]{0,${LIMITS.artifactKeyChars - 1}}$`,
});
const Label = Type.String({ minLength: 1, maxLength: LIMITS.artifactLabelChars });
const Text = Type.String({ maxLength: LIMITS.artifactTextChars });
const FiniteNumber = Type.Number();
const DateText = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" });

/** A block that an update can name. */
const keyed = { key: Type.Optional(BlockKey) };
/** What the person enters. */
const field = {
  key: BlockKey,
  label: Label,
  required: Type.Optional(Type.Boolean()),
};

export const TextBlock = Type.Object({
  tag: Type.Literal("text"),
  ...keyed,
  text: Text,
  /** False: drawn letter for letter. */
  markdown: Type.Optional(Type.Boolean()),
});

export const DividerBlock = Type.Object({ tag: Type.Literal("divider"), ...keyed });

export const StatusBlock = Type.Object({
  tag: Type.Literal("status"),
  ...keyed,
  text: Label,
  variant: Type.Optional(
    Type.Union([
      Type.Literal("info"),
      Type.Literal("success"),
      Type.Literal("warning"),
      Type.Literal("danger"),
    ]),
  ),
});

export const ProgressBlock = Type.Object({
  tag: Type.Literal("progress"),
  ...keyed,
  label: Label,
  /** Percent; absent: it is not known how far it is. */
  value: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
});

const Cell = Type.Union([Text, FiniteNumber, Type.Boolean(), Type.Null()]);
export const TableBlock = Type.Object({
  tag: Type.Literal("table"),
  ...keyed,
  label: Type.Optional(Label),
  columns: Type.Array(Label, { minItems: 1, maxItems: LIMITS.artifactColumns }),
  rows: Type.Array(Type.Array(Cell, { maxItems: LIMITS.artifactColumns }), {
    maxItems: LIMITS.artifactRows,
  }),
});

export const CodeBlock = Type.Object({
  tag: Type.Literal("code"),
  ...keyed,
  label: Type.Optional(Label),
  text: Text,
});

export const FileBlock = Type.Object({
  tag: Type.Literal("file"),
  key: BlockKey,
  filename: Label,
  mime: Type.Optional(Type.String({ pattern: "^[a-z]+/[A-Za-z0-9.+-]{1,100}$" })),
  /** Its content, base64. */
  data: Type.String({ maxLength: Math.ceil(LIMITS.artifactFileBytes / 3) * 4 }),
});

export const InputBlock = Type.Union([
  Type.Object({
    tag: Type.Literal("input"),
    ...field,
    variant: Type.Optional(Type.Union([Type.Literal("text"), Type.Literal("textarea")])),
    max_length: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.artifactTextChars })),
    value: Type.Optional(Text),
  }),
  Type.Object({
    tag: Type.Literal("input"),
    ...field,
    variant: Type.Literal("number"),
    min: Type.Optional(FiniteNumber),
    max: Type.Optional(FiniteNumber),
    value: Type.Optional(FiniteNumber),
  }),
  Type.Object({
    tag: Type.Literal("input"),
    ...field,
    variant: Type.Literal("date"),
    min: Type.Optional(DateText),
    max: Type.Optional(DateText),
    value: Type.Optional(DateText),
  }),
]);

const Option = Type.Object({ value: Label, label: Label });
export const SelectBlock = Type.Object({
  tag: Type.Literal("select"),
  ...field,
  options: Type.Array(Option, { minItems: 1, maxItems: LIMITS.artifactOptions }),
  /** Several may be chosen: the answer is a list. */
  multiple: Type.Optional(Type.Boolean()),
  value: Type.Optional(
    Type.Union([Label, Type.Array(Label, { maxItems: LIMITS.artifactOptions })]),
  ),
});

export const CheckboxBlock = Type.Object({
  tag: Type.Literal("checkbox"),
  ...field,
  value: Type.Optional(Type.Boolean()),
});

export const ActionBlock = Type.Object({
  tag: Type.Literal("action"),
  key: BlockKey,
  label: Label,
  variant: Type.Optional(
    Type.Union([Type.Literal("primary"), Type.Literal("secondary"), Type.Literal("danger")]),
  ),
  /** False: what was entered is not checked and not sent, as for "Cancel". */
  sends_values: Type.Optional(Type.Boolean()),
});
