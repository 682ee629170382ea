import { assertNever } from "../../../../app/contract/assert-never.ts";
import type { FormerAgent } from "../../../../app/contract/former-agent.ts";
import type { Settings } from "../../../../app/contract/settings.ts";
import type { About, ConversationStore, FormerMessage } from "../../../storage/index.ts";
import type { FormerAgents } from "./former-agents.ts";
import type { FormerLogs } from "./former-logs.ts";
import type { ImportCheck } from "./import-check.ts";
import { ImportError, ImportReader, type ReadLine } from "./import-reader.ts";

export interface ImportPorts {
  readonly conversations: Pick<ConversationStore, "ids" | "takeFormer" | "describe" | "reopen">;
  /** The person's own id at the hub. */
  readonly userId: string;
  readonly setSettings: (settings: Settings) => Promise<unknown>;
  readonly agents: Pick<FormerAgents, "add">;
  readonly logs: Pick<FormerLogs, "begin" | "add" | "keep">;
  /** Conversations and settings may look different now. */
  readonly changed: () => void;
}

/**
 * Takes over a file that was checked. What it adds is seen when its last part has come: after one that was cut
 * off, the same file can be taken over again.
 */
export class ImportTaking {
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
    ports.logs.begin();
  }

  /**
   * True: that was all.
   * @throws ImportError `file_changed`; StoreError
   */
  async take(number: number, bytes: Uint8Array, last: boolean): Promise<boolean> {
    if (number !== this.#next || !this.#check.isPart(number, bytes, last)) {
      throw new ImportError("file_changed", this.#reader.line);
    }
    this.#next += 1;
    await this.#store([...this.#reader.push(bytes), ...(last ? this.#reader.end() : [])]);
    if (last) await this.#finish();
    return last;
  }

  async #store(lines: readonly ReadLine[]): Promise<void> {
    const messages: FormerMessage[] = [];
    const records: string[] = [];
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
        case "log_line":
          records.push(line.text);
          break;
        case "other":
        case "log":
          break;
        default:
          assertNever(line);
      }
    }
    this.#ports.logs.add(records);
    await this.#ports.conversations.takeFormer(messages);
  }

  /** What the person wrote is theirs under the id that they have now. */
  #formerMessage({
    conversation_id,
    number,
    state,
    at,
    content,
  }: Extract<ReadLine, { kind: "message" }>): FormerMessage {
    if (state === "received") return { conversation_id, number, state, at, content };
    const mine = { ...content, sender_id: this.#ports.userId };
    return { conversation_id, number, state: "sent", at, content: mine };
  }

  async #finish(): Promise<void> {
    const { conversations, agents, logs, setSettings } = this.#ports;
    for (const [id, about] of this.#abouts) {
      await conversations.reopen(id);
      await conversations.describe(id, about);
    }
    logs.keep(this.#reader.log.until);
    await agents.add(this.#agents);
    if (this.#settings !== null) await setSettings(this.#settings);
  }
}
