import Type, { type Static } from "typebox";
import { Create } from "typebox/value";
import type { ImportStep } from "../../../../app/bridge/own-data-calls.ts";
import { guardOf } from "../../../../app/contract/checked.ts";
import { errorKind } from "../../../../app/contract/coded-error.ts";
import { jsonOf } from "../../../../app/contract/json.ts";
import { LIMITS } from "../../../../app/contract/limits.ts";
import { EXPORT_LINE_BYTES, type FormerAgent } from "../../../../app/contract/own-data.ts";
import { RuleWords } from "../../../../app/contract/rule.ts";
import { Settings } from "../../../../app/contract/settings.ts";
import { LineSplitter } from "../../../audit-log/index.ts";
import { FORMAT_VERSION } from "./export.ts";

/** The lines of docs/own-data.md. Members that are not named here are not looked at. */

const LISTED = 1_000;

const Moment = Type.Integer({ minimum: 0, maximum: 8.64e15 });
const Id = Type.String({ minLength: 1, maxLength: 128 });
const Title = Type.Union([Type.String({ maxLength: 128 }), Type.Null()]);

const isHeader = guardOf(
  Type.Object({
    format: Type.Literal("consentry-export"),
    version: Type.Integer(),
    exported_at: Type.String({ maxLength: 64 }),
    program: Type.String({ maxLength: 64 }),
  }),
);

/** An export of before lacks the settings that came later: each has its default. */
const SettingsLine = Type.Object({
  kind: Type.Literal("settings"),
  settings: Type.Partial(Settings),
});

const AgentLine = Type.Object({
  kind: Type.Literal("agent"),
  agent_id: Id,
  name: Id,
  petname: Type.Union([Id, Type.Null()]),
  suspended: Type.Boolean(),
  grants: Type.Array(Type.Object({ scope: Id, state: Type.String() }), { maxItems: LISTED }),
  roots: Type.Array(
    Type.Object({
      path: Type.String({ minLength: 1, maxLength: 4_096 }),
      access: Type.Enum(["read", "read_write"]),
      only_file: Type.Optional(Type.Boolean()),
      ends_at: Type.Optional(Type.Integer()),
    }),
    { maxItems: LISTED },
  ),
  hosts: Type.Array(
    Type.Object({
      host: Type.String({ minLength: 1, maxLength: 255 }),
      port: Type.Integer({ minimum: 1, maximum: 65_535 }),
    }),
    { maxItems: LISTED },
  ),
  rules: Type.Array(
    Type.Object({
      ...RuleWords.properties,
      ends_at: Type.Union([Moment, Type.Null()]),
      for_task: Type.Boolean(),
      answers_high: Type.Boolean(),
    }),
  ),
});

const ConversationLine = Type.Object({
  kind: Type.Literal("conversation"),
  conversation_id: Id,
  type: Type.Optional(Type.Enum(["direct", "group"])),
  title: Type.Optional(Title),
  agent_ids: Type.Optional(Type.Array(Id, { maxItems: LISTED })),
});

const Place = {
  kind: Type.Literal("message"),
  conversation_id: Id,
  number: Type.Integer({ minimum: 1 }),
  state: Type.Enum(["received", "sending", "sent", "refused", "note"]),
  at: Moment,
};
const TextLine = Type.Object({
  ...Place,
  content: Type.Object({
    kind: Type.Literal("message"),
    sender_id: Id,
    content: Type.Enum(["text", "markdown"]),
    text: Type.String(),
  }),
});
const OtherMessageLine = Type.Object({ ...Place, content: Type.Unknown() });

const isSettings = guardOf(SettingsLine);
const isAgent = guardOf(AgentLine);
const isConversation = guardOf(ConversationLine);
const isText = guardOf(TextLine);
const isOtherMessage = guardOf(OtherMessageLine);
const isLogBegin = guardOf(Type.Object({ kind: Type.Literal("log") }));

type TextLine = Static<typeof TextLine>;
type ConversationLine = Static<typeof ConversationLine>;

export type ImportLine =
  | { readonly kind: "settings"; readonly settings: Settings }
  | { readonly kind: "agent"; readonly agent: FormerAgent }
  | ConversationLine
  | TextLine
  /** A message without plain text. */
  | { readonly kind: "other" };

/** Null: it is none of these. */
function readImportLine(value: unknown): ImportLine | null {
  if (isText(value) || isConversation(value)) return value;
  if (isOtherMessage(value)) return { kind: "other" };
  if (isSettings(value)) {
    return { kind: "settings", settings: { ...Create(Settings), ...value.settings } };
  }
  return isAgent(value) ? { kind: "agent", agent: formerAgent(value) } : null;
}

function formerAgent(line: Static<typeof AgentLine>): FormerAgent {
  const { agent_id, name, petname, suspended, grants, roots, hosts, rules } = line;
  const kept = rules.filter(({ for_task, answers_high }) => !for_task && !answers_high);
  return {
    former_id: agent_id,
    name,
    petname,
    suspended,
    scopes: grants.flatMap(({ scope, state }) => (state === "granted" ? [scope] : [])),
    // What was given for a time, or as a file alone, would come back as more.
    roots: roots
      .filter(({ only_file, ends_at }) => only_file !== true && ends_at === undefined)
      .map(({ path, access }) => ({ path, access })),
    hosts: hosts.map(({ host, port }) => ({ host, port })),
    rules: kept
      .slice(0, LIMITS.ruleFileRules)
      .map(({ covers, subject, effect, ends_at }) => ({ covers, subject, effect, ends_at })),
  };
}

type Fault = Extract<ImportStep, { kind: "fault" }>;
type FaultCode = Fault["fault"];

/** A file that cannot be imported; `details` names the line. */
export const importError = errorKind<FaultCode, { readonly line: number }>("ImportError");

/** Reads an exported file in pieces, in constant memory, up to the log, which stays in the file. */
export class ImportReader {
  readonly #splitter = new LineSplitter(EXPORT_LINE_BYTES);
  #line = 0;
  #bytes = 0;
  #reachedLog = false;
  #header: { readonly exported_at: number; readonly version: string } | null = null;

  /** Null before the first line was read. */
  get header() {
    return this.#header;
  }

  /** Number of the last line read. */
  get line(): number {
    return this.#line;
  }

  /** @throws ImportError */
  *push(bytes: Uint8Array): Iterable<ImportLine> {
    this.#bytes += bytes.length;
    if (this.#bytes > LIMITS.importBytes) throw this.#error("file_too_large");
    if (this.#reachedLog) return;
    for (const line of this.#splitter.push(bytes)) {
      yield* this.#read(line);
      if (this.#reachedLog) return;
    }
  }

  /** @throws ImportError */
  *end(): Iterable<ImportLine> {
    if (this.#reachedLog) return;
    for (const line of this.#splitter.end()) yield* this.#read(line);
    if (this.#line === 0) throw this.#error("not_an_export");
    if (!this.#reachedLog) throw this.#error("cut_off");
  }

  *#read(text: string | null): Iterable<ImportLine> {
    this.#line += 1;
    if (this.#line === 1) return this.#begin(text);
    // Parsed leniently: agents' messages may be nested to the limit, and their lines add a level.
    const value = text === null ? null : jsonOf(text);
    this.#reachedLog = isLogBegin(value);
    if (this.#reachedLog) return;
    const line = readImportLine(value);
    if (line === null) throw this.#error("line_unreadable");
    yield line;
  }

  #begin(text: string | null): void {
    const value = text === null ? null : jsonOf(text);
    if (!isHeader(value)) throw this.#error("not_an_export");
    if (value.version !== FORMAT_VERSION) throw this.#error("other_version");
    const exported_at = Date.parse(value.exported_at);
    if (Number.isNaN(exported_at)) throw this.#error("not_an_export");
    this.#header = { exported_at, version: value.program };
  }

  #error(fault: FaultCode) {
    return importError(fault, { details: { line: Math.max(1, this.#line) } });
  }
}
