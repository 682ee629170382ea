import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { checkAnswer } from "../app/contract/artifacts/answer.ts";
import { readBlocks } from "../app/contract/artifacts/block.ts";
import * as blocks from "../app/contract/artifacts/block-schemas.ts";
import { DENIED_REASONS, ERROR_REASONS, STATUSES } from "../app/contract/codes.ts";
import { PairingStateAnswer, Withdrawn } from "../app/protocol/v1/answers.ts";
import {
  decodeArtifactResponse,
  decodeSentArtifact,
} from "../app/protocol/v1/artifact-messages.ts";
import { AuthFrame, ClientFrame, ServerFrame } from "../app/protocol/v1/frames.ts";
import { decodeToolCall, decodeToolResponse } from "../app/protocol/v1/tool-messages.ts";
import { CLOSE } from "../hub/lines/line.ts";
import { readContent } from "../main/client/conversations/keep-arrived.ts";
import { readFlags, USAGE } from "../main/client/launch/flags.ts";
import { codeBlocks, codeWords, readDocument, tableOf } from "./read-markdown.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const using = readDocument(root, "docs/using-consentry.md");
const architecture = readDocument(root, "docs/architecture.md");
const protocol = readDocument(root, "docs/protocol.md");
const word = (cell = ""): string => codeWords(cell)[0] ?? "";

const { BlockKey: _, ...blockSchemas } = blocks;
const BLOCK_SCHEMAS = Object.values(blockSchemas) as readonly BlockSchema[];
interface BlockSchema {
  readonly anyOf?: readonly BlockSchema[];
  readonly properties?: Readonly<Record<string, { readonly const?: string }>>;
}
const variantsOf = (schema: BlockSchema): readonly BlockSchema[] => schema.anyOf ?? [schema];
const tagOf = (schema: BlockSchema) => variantsOf(schema)[0]?.properties?.tag?.const;
const fieldsOf = (schema: BlockSchema) => [
  ...new Set(variantsOf(schema).flatMap(({ properties = {} }) => Object.keys(properties))),
];

describe("docs/using-consentry.md", () => {
  const rows = tableOf(using, "flag", "value");

  it("lists the flags the program takes, and no others", () => {
    const taken = [...USAGE.matchAll(/^ +(--[\w-]+)/gm)].map(([, flag]) => flag);
    expect(taken.length).toBeGreaterThan(3);
    expect(rows.map(([flag]) => word(flag))).toEqual(taken);
  });

  const starting = rows.filter(([flag]) => word(flag) !== "--help");
  it.each(starting)("gives %s values that are taken: %s", (flag, value = "") => {
    const values =
      value === "" ? [[]] : [...codeWords(value), ...(/^0 to/.test(value) ? ["0"] : [])];
    const tried = values.length === 0 ? ["x"] : values;
    for (const each of tried) expect(() => readFlags([word(flag), each].flat())).not.toThrow();
  });
});

describe("docs/architecture.md", () => {
  it("follows a call through the files there are, at most twenty of them, by names they have", () => {
    const steps =
      codeBlocks(architecture, "").find((block) => block.startsWith("HubChannel")) ?? "";
    const named = [...steps.matchAll(/^ *([\w.]+) +((?:app|main)\/\S+\.ts)/gm)];
    const files = new Set(named.map(([, , file]) => file));
    expect(files.size).toBeGreaterThan(10);
    expect(files.size).toBeLessThanOrEqual(20);
    for (const [, name = "", file = ""] of named) {
      const source = readFileSync(`${root}/${file}`, "utf8");
      expect(source, `${name} in ${file}`).toContain(name.split(".").at(-1));
    }
  });
});

interface Schema {
  readonly const?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

const literalsOf = (schema: Schema): readonly (string | undefined)[] =>
  schema.anyOf?.flatMap(literalsOf) ?? [schema.const];

/** Each frame's type with the names of its fields, including those of a `payload`. */
function framesOf(schema: Schema): readonly (readonly [type: string, fields: readonly string[]])[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(framesOf);
  const { type, ...fields } = schema.properties ?? {};
  const names = [...Object.keys(fields), ...Object.keys(fields.payload?.properties ?? {})];
  const types = type?.anyOf ?? (type === undefined ? [] : [type]);
  return types.map((each) => [each.const ?? "", names.toSorted()]);
}

describe("docs/protocol.md", () => {
  /** Each frame in the list under a heading, with the text of its fields: "- `type` (whom; fields): …". */
  const listed = (heading: string) => {
    const [, section = ""] = protocol.text.split(`\n### ${heading}\n`);
    const text = section.split(/\n##/)[0]?.replaceAll(/\n {2,}/g, " ") ?? "";
    return [...text.matchAll(/^- `([\w.]+)` \(([^;\n]*?)(?:; ([^\n]*?))?\): /gm)];
  };
  const TABLES = [
    ["to the hub", listed("To the hub"), [AuthFrame, ClientFrame]],
    ["from the hub", listed("From the hub"), [ServerFrame]],
  ] as const;

  it.each(TABLES)("lists every frame %s with its fields, and no other", (_way, rows, schemas) => {
    const frames = schemas.flatMap((schema) => framesOf(schema as Schema));
    expect(rows.map(([, type]) => type).toSorted()).toEqual(
      frames.map(([type]) => type).toSorted(),
    );
    const fields = new Map(frames);
    for (const [, type = "", , told = ""] of rows) {
      if (told.startsWith("as ")) continue;
      expect([...codeWords(told)].toSorted(), type).toEqual(fields.get(type));
    }
  });

  it("lists every answer of the contract's table", () => {
    const [, section = ""] = /### Answers\n(.*?)\n### /s.exec(protocol.text) ?? [];
    // Each list stands after a line with its status and code: `error` with `TOOL_UNAVAILABLE`:
    const lists = [...section.matchAll(/^(`\w+`.*):\n\n((?:- .+\n)+)/gm)];
    const told = lists.flatMap(([, head = "", items = ""]) =>
      items.match(/^- `\w+`/gm)?.map((item) => [...codeWords(head), word(item)]),
    );
    const errors = Object.entries(ERROR_REASONS).flatMap(([code, reasons]) =>
      reasons.map((reason) => ["error", code, reason]),
    );
    const refusals = DENIED_REASONS.map((reason) => ["denied", reason]);
    expect(told).toEqual([...refusals, ...errors]);
    expect(STATUSES.filter((status) => !section.includes(`\`${status}\``))).toEqual([]);
  });

  it("lists every status that a pairing can have", () => {
    const all = [...PairingStateAnswer.anyOf, Withdrawn].flatMap(({ properties }) =>
      literalsOf(properties.status),
    );
    const told = tableOf(protocol, "status", "who is told").map(([status]) => word(status));
    expect(told.toSorted()).toEqual(all.toSorted());
  });

  it("lists every code that a connection is closed with", () => {
    const told = tableOf(protocol, "close code").map(([code]) => Number(code));
    // 1009 is sent by the WebSocket library itself.
    expect(told.toSorted()).toEqual([...Object.values(CLOSE), 1009].toSorted());
  });

  it("gives texts that are read as such", () => {
    const texts = codeWords(protocol.text).filter((each) => each.startsWith('{"type":"text"'));
    const read = texts.map((each) => readContent(new TextEncoder().encode(each), "a"));
    expect(read).toMatchObject([{ content: "text" }, { content: "markdown" }]);
  });

  it("lists every block of an artifact with its fields", () => {
    const told = tableOf(protocol, "block", "fields").map(([tag, fields = ""]) => [
      word(tag),
      codeWords(fields.replaceAll(/\([^)]*\)/g, "")),
    ]);
    const own = new Map(BLOCK_SCHEMAS.map((schema) => [tagOf(schema), fieldsOf(schema)]));
    expect(told.map(([tag]) => tag)).toEqual([...own.keys()]);
    for (const [tag, fields] of told) {
      const all = own.get(String(tag)) ?? [];
      expect(all, String(tag)).toEqual(expect.arrayContaining([...(fields ?? [])]));
    }
  });

  it("gives an artifact that is drawn, and an answer to it that agents read", () => {
    const [sent, answer] = codeBlocks(protocol, "json")
      .map((text) => JSON.parse(text))
      .filter(({ artifact }) => artifact?.ref_artifact ?? artifact?.blocks);
    const read = decodeSentArtifact(sent);
    const blocks = read?.kind === "artifact" ? readBlocks(read.state.blocks) : [];
    expect(blocks.map(({ tag }) => tag)).toEqual(["status", "input", "action"]);
    const { ref_action = "", values = {} } = decodeArtifactResponse(answer) ?? {};
    expect(checkAnswer(blocks, ref_action, { ...values })).toMatchObject({ kind: "fits" });
  });

  it("gives examples that the codec reads", () => {
    const [call = "", response = ""] = codeBlocks(protocol, "json");
    const bytes = (text: string) => new TextEncoder().encode(text);
    expect(decodeToolCall(bytes(call), "m").kind).toBe("call");
    expect(decodeToolResponse(bytes(response))).toMatchObject({ status: "denied" });
  });
});
