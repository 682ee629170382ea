import { createHash } from "node:crypto";
import { shownName } from "../../../../app/bridge/agent-views.ts";
import type { CallArgs } from "../../../../app/bridge/calls.ts";
import { SYSTEM_CONVERSATION } from "../../../../app/bridge/conversation-views.ts";
import type { ImportStep, ImportSummary } from "../../../../app/bridge/own-data-calls.ts";
import { assertNever } from "../../../../app/contract/assert-never.ts";
import { LIMITS } from "../../../../app/contract/limits.ts";
import type { FormerAgent } from "../../../../app/contract/own-data.ts";
import type { Settings } from "../../../../app/contract/settings.ts";
import type { About, ConversationStore, FormerMessage } from "../../../storage/index.ts";
import { type ImportLine, ImportReader, importError } from "./import-reader.ts";

export interface ImportPorts {
  readonly conversations: Pick<ConversationStore, "ids" | "takeFormer" | "describe" | "reopen">;
  /** The person's own ID at the hub. */
  readonly userId: string;
  readonly setSettings: (settings: Settings) => Promise<unknown>;
  readonly addFormer: (agents: readonly FormerAgent[]) => Promise<void>;
  /** Conversations and settings may have changed. */
  readonly changed: () => void;
}

type Part = CallArgs<"data.import_check">;

/**
 * Imports an exported file (docs/own-data.md). The page sends it twice: the first pass checks the whole file and
 * changes nothing; in the second, each part must equal the one that was checked. The file is never held in memory
 * or on disk as a whole. Its permissions become a list to choose from; an import grants nothing.
 */
export class Imports {
  readonly #ports: ImportPorts;
  #check: ImportCheck | null = null;
  #takeover: Takeover | null = null;

  constructor(ports: ImportPorts) {
    this.#ports = ports;
  }

  check({ number, bytes, last }: Part): Promise<ImportStep> {
    return stepOf(async () => {
      if (number === 0) this.#check = new ImportCheck(new Set(this.#ports.conversations.ids()));
      if (this.#check?.isNext(number) !== true) throw fileChanged(1);
      return this.#check.add(Buffer.from(bytes, "base64"), last);
    });
  }

  /** @throws StoreError */
  take({ number, bytes, last }: Part): Promise<ImportStep> {
    return stepOf(async () => {
      const check = this.#check;
      if (number === 0) {
        this.#takeover = check?.isComplete === true ? new Takeover(this.#ports, check) : null;
      }
      if (this.#takeover === null) throw fileChanged(1);
      await this.#takeover.add(number, Buffer.from(bytes, "base64"), last);
      if (!last) return { kind: "more" };
      this.#takeover = this.#check = null;
      this.#ports.changed();
      return { kind: "taken" };
    });
  }
}

const fileChanged = (line: number) =>
  importError("file_changed", { details: { line: Math.max(1, line) } });

async function stepOf(work: () => Promise<ImportStep>): Promise<ImportStep> {
  try {
    return await work();
  } catch (error) {
    if (!importError.is(error)) throw error;
    return { kind: "fault", fault: error.code, line: error.details?.line ?? 1 };
  }
}

/** Counts what the file would add, and remembers the digest of each part. */
class ImportCheck {
  readonly #reader = new ImportReader();
  readonly #parts: string[] = [];
  readonly #present: ReadonlySet<string>;
  readonly #added = new Set<string>();
  readonly #agents: string[] = [];
  #settings = false;
  #known = 0;
  #messages = 0;
  #leftOut = 0;
  #isComplete = false;

  /** @param present conversations that exist here; they stay unchanged */
  constructor(present: ReadonlySet<string>) {
    this.#present = present;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  isNext(number: number): boolean {
    return number === this.#parts.length && !this.#isComplete;
  }

  isPart(number: number, bytes: Uint8Array, last: boolean): boolean {
    return this.#parts[number] === digestOf(bytes) && last === (number === this.#parts.length - 1);
  }

  /** Whether the import adds this conversation. */
  adds(conversationId: string): boolean {
    return this.#added.has(conversationId);
  }

  /** @throws ImportError */
  add(bytes: Uint8Array, last: boolean): ImportStep {
    this.#parts.push(digestOf(bytes));
    for (const line of this.#reader.push(bytes)) this.#count(line);
    if (!last) return { kind: "more" };
    for (const line of this.#reader.end()) this.#count(line);
    this.#isComplete = true;
    return { kind: "checked", summary: this.#summary() };
  }

  #summary(): ImportSummary {
    const { header } = this.#reader;
    return {
      exported_at: header?.exported_at ?? 0,
      version: header?.version ?? "",
      settings: this.#settings,
      agents: this.#agents,
      conversations: this.#added.size,
      messages: this.#messages,
      known_conversations: this.#known,
      left_out: this.#leftOut,
    };
  }

  #count(line: ImportLine): void {
    switch (line.kind) {
      case "settings":
        this.#settings = true;
        break;
      case "agent":
        if (this.#agents.length === LIMITS.importAgents) {
          throw importError("file_too_large", { details: { line: this.#reader.line } });
        }
        this.#agents.push(shownName(line.agent));
        break;
      case "conversation":
        if (this.#present.has(line.conversation_id)) this.#known += 1;
        else if (line.conversation_id !== SYSTEM_CONVERSATION)
          this.#added.add(line.conversation_id);
        break;
      case "message":
        if (this.adds(line.conversation_id)) this.#messages += 1;
        break;
      case "other":
        this.#leftOut += 1;
        break;
      default:
        assertNever(line);
    }
  }
}

/**
 * Stores a checked file. What it adds shows once the last part has been stored; after an interruption, importing
 * the same file again completes it.
 */
class Takeover {
  readonly #ports: ImportPorts;
  readonly #check: ImportCheck;
  readonly #reader = new ImportReader();
  readonly #abouts = new Map<string, About>();
  readonly #agents: FormerAgent[] = [];
  #settings: Settings | null = null;
  #next = 0;

  constructor(ports: ImportPorts, check: ImportCheck) {
    this.#ports = ports;
    this.#check = check;
  }

  /** @throws ImportError `file_changed`; StoreError */
  async add(number: number, bytes: Uint8Array, last: boolean): Promise<void> {
    if (number !== this.#next || !this.#check.isPart(number, bytes, last)) {
      throw fileChanged(this.#reader.line);
    }
    this.#next += 1;
    await this.#store([...this.#reader.push(bytes), ...(last ? this.#reader.end() : [])]);
    if (last) await this.#finish();
  }

  async #store(lines: readonly ImportLine[]): Promise<void> {
    const messages: FormerMessage[] = [];
    for (const line of lines) {
      switch (line.kind) {
        case "settings":
          this.#settings = line.settings;
          break;
        case "agent":
          this.#agents.push(line.agent);
          break;
        case "conversation": {
          const { conversation_id, type = "direct", title = null, agent_ids = [] } = line;
          if (this.#check.adds(conversation_id)) {
            this.#abouts.set(conversation_id, { kind: type, title, agent_ids });
          }
          break;
        }
        case "message":
          if (this.#check.adds(line.conversation_id)) messages.push(this.#formerMessage(line));
          break;
        case "other":
          break;
        default:
          assertNever(line);
      }
    }
    await this.#ports.conversations.takeFormer(messages);
  }

  /** The person's own messages are stored under their current ID. */
  #formerMessage(line: Extract<ImportLine, { kind: "message" }>): FormerMessage {
    const { conversation_id, number, state, at, content } = line;
    if (state === "received") return { conversation_id, number, state, at, content };
    const own = { ...content, sender_id: this.#ports.userId };
    return { conversation_id, number, state: "sent", at, content: own };
  }

  async #finish(): Promise<void> {
    const { conversations, addFormer, setSettings } = this.#ports;
    for (const [id, about] of this.#abouts) {
      await conversations.reopen(id);
      await conversations.describe(id, about);
    }
    await addFormer(this.#agents);
    if (this.#settings !== null) await setSettings(this.#settings);
  }
}

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
