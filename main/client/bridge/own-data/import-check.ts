import { createHash } from "node:crypto";
import { shownName } from "../../../../app/bridge/agent-names.ts";
import { SYSTEM_CONVERSATION } from "../../../../app/bridge/conversation-views.ts";
import type { ImportStep, ImportSummary } from "../../../../app/bridge/own-data-calls.ts";
import { assertNever } from "../../../../app/contract/assert-never.ts";
import { LIMITS } from "../../../../app/contract/limits.ts";
import { ImportError, ImportReader, type ReadLine } from "./import-reader.ts";

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** What a file would add, and which parts it has. */
export class ImportCheck {
  readonly #reader = new ImportReader();
  readonly #parts: string[] = [];
  /** Conversations that are here. */
  readonly #here: ReadonlySet<string>;
  readonly #added = new Set<string>();
  readonly #agents: string[] = [];
  #settings = false;
  #known = 0;
  #messages = 0;
  #leftOut = 0;
  #isWhole = false;

  constructor(here: ReadonlySet<string>) {
    this.#here = here;
  }

  /** It was read to its end, and nothing in it is wrong. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  isNext(number: number): boolean {
    return number === this.#parts.length && !this.#isWhole;
  }

  isPart(number: number, bytes: Uint8Array, last: boolean): boolean {
    return this.#parts[number] === digestOf(bytes) && last === (number === this.#parts.length - 1);
  }

  /** Whether the conversation is taken over: one that is here stays as it is. */
  adds(conversationId: string): boolean {
    return this.#added.has(conversationId);
  }

  /** @throws ImportError */
  take(bytes: Uint8Array, last: boolean): ImportStep {
    this.#parts.push(digestOf(bytes));
    for (const line of this.#reader.push(bytes)) this.#count(line);
    if (!last) return { kind: "more" };
    for (const line of this.#reader.end()) this.#count(line);
    this.#isWhole = true;
    return { kind: "checked", summary: this.#summary() };
  }

  #summary(): ImportSummary {
    const { header, log } = this.#reader;
    return {
      exported_at: header?.exported_at ?? 0,
      version: header?.version ?? "",
      settings: this.#settings,
      agents: this.#agents,
      conversations: this.#added.size,
      messages: this.#messages,
      known_conversations: this.#known,
      left_out: this.#leftOut,
      records: log.records,
    };
  }

  #count(line: ReadLine): void {
    switch (line.kind) {
      case "settings":
        this.#settings = true;
        break;
      case "agent":
        if (this.#agents.length === LIMITS.importAgents) {
          throw new ImportError("file_too_large", this.#reader.line);
        }
        this.#agents.push(shownName(line.agent));
        break;
      case "conversation":
        if (this.#here.has(line.conversation_id)) this.#known += 1;
        else if (line.conversation_id !== SYSTEM_CONVERSATION)
          this.#added.add(line.conversation_id);
        break;
      case "message":
        if (this.adds(line.conversation_id)) this.#messages += 1;
        break;
      case "other":
        this.#leftOut += 1;
        break;
      case "log":
      case "log_line":
        break;
      default:
        assertNever(line);
    }
  }
}
