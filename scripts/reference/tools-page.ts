import { CATALOGUE, type CatalogueEntry, TOOL_ALIASES } from "../../app/contract/catalogue.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import { PRESET_SCOPES, RESERVED_SCOPE_PREFIXES } from "../../app/contract/scopes.ts";
import { FAILURES_OF_EVERY_TOOL, PATH_FAILURES } from "../../app/contract/tools/tool-contract.ts";
import {
  alternativesOf,
  code,
  type Described,
  fieldsOf,
  listItem,
  table,
} from "./describe-schema.ts";

const entries = [...CATALOGUE.values()];
const codes = (words: readonly string[]): string => words.map(code).join(", ");

/** docs/tools.md: everything that an agent's author needs to declare and call the tools. */
export const toolsPage = (): string =>
  [
    "# Scopes and tools",
    "",
    "What an agent may declare in its manifest and [call](protocol.md#tool-calls). Written by",
    "`npm run docs:reference` from the schemas that the client judges by",
    "([`app/contract/tools/`](../app/contract/tools)); a test fails when the two differ.",
    "",
    ...scopes(),
    ...reading(),
    ...entries.flatMap(toolSection),
  ].join("\n");

function scopes(): readonly string[] {
  const ids = [...new Set(entries.map(({ scope }) => scope))];
  const reserved = RESERVED_SCOPE_PREFIXES.map((prefix) => code(prefix)).join(" or ");
  return [
    "## Scopes",
    "",
    ...table(
      ["scope", "tools", "at least", "`label_fallback`"],
      ids.map((id) => [
        code(id),
        entries.flatMap(({ name, scope }) => (scope === id ? [toolLink(name)] : [])).join(", "),
        entries.find(({ scope }) => scope === id)?.leastSensitivity ?? "",
        PRESET_SCOPES.has(id) ? "" : "required",
      ]),
    ),
    "A manifest lists a tool under the scope of its row; under any other the call is answered with",
    "`scope_mismatch`. Its `sensitivity` may be higher than the row's; a lower one counts for nothing. A scope",
    "whose id is in no row is the agent's own: it needs a `label_fallback` and may not begin with",
    `${reserved}, in any case.`,
    "",
  ];
}

const toolLink = (name: string): string => `[${code(name)}](#${name})`;

const reading = (): readonly string[] => [
  "## How to read the lists",
  "",
  "`?`: may be left out. A call with any other argument is refused with `schema_violation`. A text's length is in",
  "Unicode code points. A root is a folder that the person opened for the agent; paths are absolute, inside a root,",
  "in one plain spelling, without `..` and without a link on the way. The whole payload of a call has",
  `at most ${LIMITS.callBytes.toLocaleString("en")} bytes, a result ${LIMITS.resultBytes.toLocaleString("en")}.`,
  "",
  "Failures come as `reason` with `TOOL_PLATFORM_ERROR` ([what each means](protocol.md#answers)). Every tool can",
  `fail with ${codes(FAILURES_OF_EVERY_TOOL)}.`,
  `The failures of paths are ${codes(PATH_FAILURES)}.`,
  "",
];

function toolSection(entry: CatalogueEntry): readonly string[] {
  const { name, scope } = entry;
  const others = [...TOOL_ALIASES].flatMap(([alias, of]) => (of === name ? [alias] : []));
  const also = others.length === 0 ? "" : ` Also under the name ${codes(others)}.`;
  const given = entry.arguments as Described;
  return [
    `## ${name}`,
    "",
    given.description ?? "",
    "",
    `Scope ${code(scope)}.${also}`,
    "",
    ...alternativesOf(given).flatMap(argumentList),
    ...alternativesOf(entry.result as Described).flatMap((each) => resultList(each)),
    `Failures: ${failuresOf(entry)}.`,
    "",
  ];
}

function failuresOf({ failures }: CatalogueEntry): string {
  if (!PATH_FAILURES.every((each) => failures.includes(each))) return codes(failures);
  const own = failures.filter((each) => !PATH_FAILURES.some((other) => other === each));
  return ["those of paths", ...own.map(code)].join(", ");
}

/** Of an alternative after the first, what an earlier one has alike is only named. */
function argumentList(
  schema: Described,
  at: number,
  alternatives: readonly Described[],
): readonly string[] {
  const earlier = new Set(alternatives.slice(0, at).flatMap((each) => [...linesOf(each).values()]));
  const items = [...linesOf(schema)];
  const same = items.flatMap(([name, line]) => (earlier.has(line) ? [name] : []));
  const own = items.flatMap(([, line]) => (earlier.has(line) ? [] : [line]));
  const above = same.length === 0 ? [] : [`- ${codes(same)}: as above`];
  return [`Arguments${titleOf(schema)}:`, "", ...above, ...own, ""];
}

/** A line for each argument, by its name. */
function linesOf(schema: Described): ReadonlyMap<string, string> {
  const lines = fieldsOf(schema).map(({ name, type, isRequired, default: usual, meaning }) => {
    const presence = usual === "" ? "" : `default ${usual}`;
    return [
      name,
      listItem(name, [type, presence], shortly(meaning), isRequired ? "" : "?"),
    ] as const;
  });
  return new Map(lines);
}

/** Without what the page says of all paths. */
const shortly = (meaning: string): string =>
  meaning
    .replace(/^Absolute path of a (.*?),? inside one of the agent's roots/, "A $1")
    .replace(/^A (.*), or of a /, "A $1, or a ");

function resultList(schema: Described): readonly string[] {
  const items = fieldsOf(schema).map(({ name, type, isRequired, meaning }) =>
    listItem(name, [type], meaning, isRequired ? "" : "?"),
  );
  return [`Result${titleOf(schema)}:`, "", ...items, ""];
}

const titleOf = ({ title }: Described): string => (title === undefined ? "" : `, ${title}`);

/**
 * The SDK's types of each tool's arguments and result, from the catalogue's schemas. Written out, so that
 * the SDK's published types need no other package's.
 */
export function toolTypes(): string {
  const field = (name: string, schema: object): string =>
    `    ${name}: ${typeOf(schema as Described, 4)};`.replace(/: +\n/, ":\n");
  const tools = [...CATALOGUE.values()].map(({ name, arguments: args, result }) =>
    [`  ${name}: {`, field("args", args), field("result", result), "  };"].join("\n"),
  );
  const aliases = [...TOOL_ALIASES].map(([alias, name]) => `  ${alias}: ToolTypes["${name}"];`);
  const also = [...TOOL_ALIASES.keys()].map((alias) => JSON.stringify(alias)).join(" | ");
  const names = `/** The names of Consentry's tools. */\nexport type ToolName = Exclude<keyof ToolTypes, ${also}>;\n\n`;
  return `${HEAD}${names}${TYPES}export interface ToolTypes {\n${[...tools, ...aliases].join("\n")}\n}\n`;
}

const HEAD = `// Written by \`npm run docs:reference\`. docs/tools.md says what each field means.

import type { JsonObject, JsonValue } from "../app/contract/json.ts";

/** What \`callTool\` takes: of a tool that is not Consentry's, any JSON object. */
export type ToolArguments<Name extends string> = Name extends keyof ToolTypes
  ? ToolTypes[Name]["args"]
  : JsonObject;

/** What \`callTool\` resolves with. */
export type ToolResult<Name extends string> = Name extends keyof ToolTypes
  ? ToolTypes[Name]["result"]
  : JsonValue;

`;

const TYPES = `/** Arguments and result of each of Consentry's tools, by its name. */
`;

const literal = (value: unknown): string => JSON.stringify(value);

/** @param indent of the line that the type begins on */
function typeOf(schema: Described, indent: number): string {
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(" | ");
  if (schema.anyOf !== undefined) {
    const forms = [...new Set(schema.anyOf.map((each) => typeOf(each, indent + 4)))];
    const isLong = forms.some((form) => form.includes("\n"));
    const start = `\n${" ".repeat(indent + 2)}| `;
    return isLong ? start + forms.join(start) : forms.join(" | ");
  }
  switch (schema.type) {
    case "integer":
      return "number";
    case "array": {
      const item = typeOf(schema.items ?? {}, indent);
      return /^\w+$|^\{/.test(item) ? `readonly ${item}[]` : `readonly (${item})[]`;
    }
    case "object":
      return objectType(schema, indent);
    default:
      return schema.type ?? "unknown";
  }
}

function objectType(
  { properties = {}, required = [], patternProperties }: Described,
  indent: number,
) {
  const [values] = Object.values(patternProperties ?? {});
  if (values !== undefined) return `{ readonly [name: string]: ${typeOf(values, indent)} }`;
  const fields = Object.entries(properties).map(([name, field]) => {
    const mark = required.includes(name) ? "" : "?";
    return `readonly ${name}${mark}: ${typeOf(field, indent + 2)};`;
  });
  const start = `\n${" ".repeat(indent + 2)}`;
  return `{${start}${fields.join(start)}\n${" ".repeat(indent)}}`;
}
