/** The part of JSON Schema that our own schemas use and pages show. */
export interface Described {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Described[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly required?: readonly string[];
  readonly items?: Described;
  readonly patternProperties?: Readonly<Record<string, Described>>;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly pattern?: string;
  /** In a manifest's schema only. */
  readonly "x-problem"?: string;
}

/** One entry of a list of fields. The name of a nested field is `outer.inner` or `list[].inner`. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly default: string;
  readonly meaning: string;
  /** The code of the fault if it does not match. */
  readonly problem: string;
}

/** A longer pattern says less to a reader than the field's description. */
const PATTERN_CHARS_AT_MOST = 100;

/** The fields of an object, followed by those of the objects in it. */
export function fieldsOf(schema: Described, prefix = ""): readonly Field[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([key, field]) => {
    const name = prefix + key;
    const isRequired = required.includes(key);
    const entry: Field = {
      name,
      type: typeOf(field),
      isRequired,
      default: field.default === undefined ? "" : code(JSON.stringify(field.default)),
      meaning: field.description ?? "",
      problem: field["x-problem"] ?? "",
    };
    const inner = field.items ?? field;
    return [entry, ...fieldsOf(inner, `${name}${field.items === undefined ? "" : "[]"}.`)];
  });
}

/** The alternatives that a schema allows; the schema itself if there is only one. */
export const alternativesOf = (schema: Described): readonly Described[] => schema.anyOf ?? [schema];

/** Type and limits in words. */
function typeOf(schema: Described): string {
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) {
    return code(schema.enum.map((each) => JSON.stringify(each)).join("|"));
  }
  if (schema.anyOf !== undefined) {
    const types = [...new Set(schema.anyOf.map(typeOf))];
    const isLiteral = types.every((type) => type.startsWith("`"));
    return isLiteral ? code(types.join("|").replaceAll("`", "")) : types.join(" or ");
  }
  switch (schema.type) {
    case "string":
      return textType(schema);
    case "integer":
    case "number":
      return [schema.type, rangeOf(schema.minimum, schema.maximum)].filter(Boolean).join(" ");
    case "array":
      return listType(schema);
    case "object":
      return objectType(schema);
    default:
      return schema.type ?? "any JSON";
  }
}

function textType({ minLength, maxLength, pattern }: Described): string {
  const isShort = pattern !== undefined && pattern.length <= PATTERN_CHARS_AT_MOST;
  return [
    ["text", rangeOf(minLength, maxLength)].filter(Boolean).join(" "),
    isShort ? code(pattern) : "",
  ]
    .filter(Boolean)
    .join(", ");
}

function listType({ items = {}, minItems, maxItems }: Described): string {
  const range = rangeOf(minItems, maxItems);
  return range === "" ? `list of ${typeOf(items)}` : `list of ${range}: ${typeOf(items)}`;
}

function objectType({ patternProperties, maxProperties }: Described): string {
  const [values] = Object.values(patternProperties ?? {});
  if (values === undefined) return "object";
  return [`object of ${typeOf(values)} by name`, rangeOf(undefined, maxProperties, " fields")]
    .filter(Boolean)
    .join(", ");
}

function rangeOf(least: number | undefined, most: number | undefined, of = ""): string {
  if (least === undefined && most === undefined) return "";
  if (least === undefined) return `≤ ${figure(most)}${of}`;
  if (most === undefined) return `≥ ${figure(least)}`;
  return least < 0
    ? `${figure(least)} to ${figure(most)}${of}`
    : `${figure(least)}–${figure(most)}${of}`;
}

const figure = (value: number | undefined): string =>
  value === Number.MAX_SAFE_INTEGER ? "2^53−1" : (value ?? 0).toLocaleString("en");

export const code = (text: string): string => `\`${text}\``;

/**
 * A list entry: a code word, what it is in brackets, what it means. Empty facts are left out.
 * @param mark right after the word: `?` for a field that may be absent
 */
export function listItem(
  word: string,
  facts: readonly string[],
  meaning: string,
  mark = "",
): string {
  const told = facts.filter((fact) => fact !== "").join(", ");
  return `- ${code(word)}${mark}${told === "" ? "" : ` (${told})`}${meaning === "" ? "" : `: ${meaning}`}`;
}

/** A vertical bar would end the cell, so it is escaped. */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line), ""];
}
