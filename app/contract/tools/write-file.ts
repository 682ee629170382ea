import Type from "typebox";
import type { JsonObject } from "../json.ts";
import { about, countOf, pathOf, type TargetOf, withFileMarks } from "../target/targets.ts";
import {
  CHANGES,
  EXAMPLE_FOLDER,
  ownTool,
  PATH_FAILURES,
  pathArgument,
  type ResultOf,
} from "./tool-contract.ts";

/**
 * Characters of `content` that one `write_file` may have. The limit for a call's payload (contract §1)
 * is reached before.
 */
const WRITE_FILE_MAX_CHARS = 65_536;

const path = pathArgument(
  "Absolute path of a regular file, there or not, inside one of the agent's roots.",
);

const ifExists = Type.Union([Type.Literal("replace"), Type.Literal("fail")], {
  default: "replace",
  description:
    "What happens to a file that is there. `replace` keeps its permissions; `fail` is answered with `already_exists`.",
});

const asText = Type.Object(
  {
    path,
    content: Type.String({
      maxLength: WRITE_FILE_MAX_CHARS,
      description: "The whole text, written as UTF-8.",
    }),
    encoding: Type.Optional(
      Type.Literal("utf-8", { default: "utf-8", description: "How `content` is written." }),
    ),
    if_exists: Type.Optional(ifExists),
  },
  { additionalProperties: false, title: "as text" },
);

const asBytes = Type.Object(
  {
    path,
    content: Type.String({
      maxLength: WRITE_FILE_MAX_CHARS,
      pattern: "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
      description: "The whole file in base64 (RFC 4648 §4), padded, without white space.",
    }),
    encoding: Type.Literal("base64", { description: "How `content` is written." }),
    if_exists: Type.Optional(ifExists),
  },
  { additionalProperties: false, title: "as bytes" },
);

const target: TargetOf = (call) => {
  const found = pathOf(call, "path");
  if (found === null) return null;
  const { preview } = call;
  const isChange = preview?.kind === "text_change" || preview?.kind === "bytes_change";
  const kind = !isChange || preview.change === "edit" ? "write" : preview.change;
  return about(kind, withFileMarks(found, call, startsScript(call.arguments)), countOf(call));
};

/** `#!` in text and in base64. */
const startsScript = ({ content, encoding }: JsonObject): boolean =>
  typeof content === "string" && content.startsWith(encoding === "base64" ? "IyE" : "#!");

export const writeFile = ownTool({
  name: "write_file",
  scope: "filesystem:write",
  leastSensitivity: "high",
  quiet: null,
  // Replaces a file that is there.
  nature: { ...CHANGES, idempotent: true },
  target,
  reach: "one_file",
  example: { path: `${EXAMPLE_FOLDER}/new.txt`, content: "Hello" },
  arguments: Type.Union([asText, asBytes], {
    description: "Writes a file, new or in place of one. It is replaced whole or not at all.",
  }),
  result: Type.Object(
    {
      created: Type.Boolean({ description: "False: it took the place of a file that was there." }),
      bytes_written: Type.Integer({ minimum: 0, description: "Bytes of the whole file." }),
      sha256: Type.String({
        pattern: "^[0-9a-f]{64}$",
        description: "Lowercase hex, of the bytes written.",
      }),
    },
    { additionalProperties: false },
  ),
  failures: [
    ...PATH_FAILURES,
    "is_a_root",
    "is_a_directory",
    "already_exists",
    "changed_since_shown",
    "disk_full",
  ],
});
export type WriteFileResult = ResultOf<typeof writeFile>;
