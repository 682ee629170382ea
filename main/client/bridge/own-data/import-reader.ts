import Type, { type Static } from "typebox";
import type { ImportStep } from "../../../../app/bridge/own-data-calls.ts";
import { guardOf } from "../../../../app/contract/checked.ts";
import { EXPORT_LINE_BYTES } from "../../../../app/contract/export-file.ts";
import type { FormerAgent } from "../../../../app/contract/former-agent.ts";
import { jsonOf } from "../../../../app/contract/json.ts";
import { LIMITS } from "../../../../app/contract/limits.ts";
import { RuleWords } from "../../../../app/contract/rule.ts";
import { Settings } from "../../../../app/contract/settings.ts";
import { LineSplitter, PiecemealLog } from "../../../audit-log/index.ts";
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

const SettingsLine = Type.Object({ kind: Type.Literal("settings"), settings: Settings });

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

type ImportLine =
  | { readonly kind: "settings"; readonly settings: Settings }
  | { readonly kind: "agent"; readonly agent: FormerAgent }
  | ConversationLine
  | TextLine
  /** A message that is no text. */
  | { readonly kind: "other" }
  | { readonly kind: "log" };

/** Null: it is none of these. */
function readImportLine(value: unknown): ImportLine | null {
  if (isText(value) || isConversation(value)) return value;
  if (isOtherMessage(value)) return { kind: "other" };
  if (isSettings(value)) return { kind: "settings", settings: value.settings };
  if (isAgent(value)) return { kind: "agent", agent: formerAgent(value) };
  return isLogBegin(value) ? { kind: "log" } : null;
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

/** A file that is not taken over, and where it is wrong. */
export class ImportError extends Error {
  override readonly name = "ImportError";
  readonly step: Fault;
  constructor(fault: Fault["fault"], line: number) {
    super(fault);
    this.step = { kind: "fault", fault, line: Math.max(1, line) };
  }
}

/** A line of the log, as it stands in the file. */
interface LogLine {
  readonly kind: "log_line";
  readonly text: string;
}

export type ReadLine = ImportLine | LogLine;

/** Reads an exported file in pieces, in constant memory, and verifies the log in it. */
export class ImportReader {
  readonly #splitter = new LineSplitter(EXPORT_LINE_BYTES);
  readonly #log = new PiecemealLog();
  #line = 0;
  #bytes = 0;
  /** Number of the line after which the log's own begin; null before it came. */
  #logAfter: number | null = null;
  #header: { readonly exported_at: number; readonly version: string } | null = null;

  /** The first line's; null before it came. */
  get header() {
    return this.#header;
  }

  /** Number of the line that was read last. */
  get line(): number {
    return this.#line;
  }

  get log(): Pick<PiecemealLog, "records" | "until"> {
    return this.#log;
  }

  /** @throws ImportError */
  *push(bytes: Uint8Array): Iterable<ReadLine> {
    this.#bytes += bytes.length;
    if (this.#bytes > LIMITS.importBytes) throw this.#error("file_too_large");
    for (const line of this.#splitter.push(bytes)) yield* this.#read(line);
  }

  /** @throws ImportError */
  *end(): Iterable<ReadLine> {
    for (const line of this.#splitter.end()) yield* this.#read(line);
    if (this.#line === 0) throw this.#error("not_an_export");
    if (this.#logAfter === null) throw this.#error("cut_off");
    const end = this.#log.finish();
    if (end === "cut_off") throw this.#error("cut_off");
    if (end !== "ok") throw new ImportError("log_broken", this.#logAfter + end);
  }

  *#read(text: string | null): Iterable<ReadLine> {
    this.#line += 1;
    if (this.#line === 1) return this.#begin(text);
    if (this.#logAfter !== null) {
      if (text === null) throw this.#error("log_broken");
      const wrong = this.#log.accept(text);
      if (wrong !== null) throw new ImportError("log_broken", this.#logAfter + wrong);
      yield { kind: "log_line", text };
      return;
    }
    // Not read as strictly as what agents send: as deep as that may be, it lies deeper in its line.
    const line = text === null ? null : readImportLine(jsonOf(text));
    if (line === null) throw this.#error("line_unreadable");
    if (line.kind === "log") this.#logAfter = this.#line;
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

  #error(fault: Fault["fault"]): ImportError {
    return new ImportError(fault, this.#line);
  }
}
