import type { FileDelivery } from "../../../app/bridge/call-shape.ts";
import type { CallArgs } from "../../../app/bridge/calls.ts";
import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import type { ConversationView } from "../../../app/bridge/conversation-views.ts";
import { checkAnswer } from "../../../app/contract/artifacts/answer.ts";
import { readBlocks } from "../../../app/contract/artifacts/block.ts";
import type { ArtifactFetch } from "../../../app/protocol/v1/artifact-messages.ts";
import type {
  AnswerContent,
  ArtifactContent,
  ConversationStore,
  StoredItem,
} from "../../storage/index.ts";
import type { DeliverFile } from "../host-port.ts";
import { numberOf } from "./item-views.ts";

export interface ArtifactPorts {
  readonly store: Pick<ConversationStore, "item" | "own">;
  readonly userId: string;
  /** @throws BridgeError `not_found` */
  view(conversationId: string): Pick<ConversationView, "offers" | "members">;
  /** Stores and sends it. @throws StoreError */
  send(
    conversationId: string,
    clientMessageId: string,
    content: AnswerContent,
  ): Promise<StoredItem>;
  readonly deliver: DeliverFile;
  readonly ask: (conversationId: string, fetch: ArtifactFetch) => Promise<boolean>;
}

interface FoundArtifact {
  readonly item: StoredItem;
  readonly content: ArtifactContent;
}

/** What the person does with the artifacts of agents. */
export class Artifacts {
  readonly #ports: ArtifactPorts;
  /** Artifacts that were asked for, and have not come whole. */
  readonly #asked = new Set<string>();

  constructor(ports: ArtifactPorts) {
    this.#ports = ports;
  }

  /** @throws BridgeError `not_found`, `not_offered`, `answer_unfit`; StoreError */
  async answer(args: CallArgs<"conversations.answer">): Promise<StoredItem> {
    const { conversation_id, item_id, ref_action, values } = args;
    const { offers, members } = this.#ports.view(conversation_id);
    if (!offers.text || !offers.artifacts) throw bridgeError("not_offered");
    const { item, content } = this.#found(conversation_id, item_id);
    const sender = members.find(({ member_id }) => member_id === content.sender_id);
    if (sender?.draws_artifacts === false) throw bridgeError("not_offered");
    const { artifact_id: ref_artifact, revision, blocks } = content.state;
    const id = answerIdOf(item);
    const answered = this.#ports.store.own(conversation_id, id)?.content;
    if (answered?.kind === "answer") return this.#ports.send(conversation_id, id, answered);
    // What the person pressed may no longer say what it said.
    if (revision !== args.revision) throw bridgeError("answer_unfit");
    const checked = checkAnswer(readBlocks(blocks), ref_action, values);
    if (checked.kind !== "fits") throw bridgeError("answer_unfit");
    return this.#ports.send(conversation_id, id, {
      kind: "answer",
      sender_id: this.#ports.userId,
      label: checked.action.label,
      artifact: item.number,
      response: {
        ref_artifact,
        ref_agent: content.sender_id,
        revision,
        ref_action,
        values: checked.values,
      },
    });
  }

  /** Has one of its files saved. @throws BridgeError (rejects) `not_found`, `file_unwritable` */
  async file(args: CallArgs<"conversations.file">): Promise<FileDelivery> {
    const { conversation_id, item_id, key } = args;
    const { content } = this.#found(conversation_id, item_id);
    const file = readBlocks(content.state.blocks).find(
      (block) => block.tag === "file" && block.key === key,
    );
    if (file?.tag !== "file") throw bridgeError("not_found");
    const bytes = Buffer.from(file.data, "base64");
    return this.#ports.deliver({
      name: fileName(file.filename),
      // Whatever the agent calls it: nothing opens it by itself.
      mediaType: "application/octet-stream",
      async *open() {
        yield bytes;
      },
    });
  }

  /** What was answered to an artifact; null: nothing. */
  answerTo(item: StoredItem): AnswerContent | null {
    const own = this.#ports.store.own(item.conversation_id, answerIdOf(item));
    return own?.content?.kind === "answer" ? own.content : null;
  }

  /** The artifact to which this is an answer; null: it is no answer, or its artifact is gone. */
  answered({ conversation_id, content }: StoredItem): StoredItem | null {
    if (content?.kind !== "answer") return null;
    return this.#ports.store.item(conversation_id, content.artifact);
  }

  /**
   * After a change: asks the agent for the whole where changes are missing. Resolves when the hub has
   * the question, so that the change is not given up before that; false: it must be tried again.
   */
  async fill({ conversation_id, number, content }: StoredItem): Promise<boolean> {
    if (content?.kind !== "artifact") return true;
    const { artifact_id: ref_artifact, revision, waiting } = content.state;
    const key = `${conversation_id} ${number}`;
    if (waiting.length === 0) this.#asked.delete(key);
    if (waiting.length === 0 || this.#asked.has(key)) return true;
    const fetch = { ref_artifact, ref_agent: content.sender_id, revision };
    const isAsked = await this.#ports.ask(conversation_id, fetch);
    if (isAsked) this.#asked.add(key);
    return isAsked;
  }

  #found(conversationId: string, itemId: string): FoundArtifact {
    const item = this.#ports.store.item(conversationId, numberOf(itemId));
    if (item?.content?.kind !== "artifact") throw bridgeError("not_found");
    return { item, content: item.content };
  }
}

/** One answer for each artifact: whatever is sent again has this id, and the hub keeps the first. */
const answerIdOf = ({ message_id }: StoredItem): string => `answer-${message_id}`;

const LONGEST = 100;

/** A name that an agent gave a file, as one under which it can be saved anywhere. */
export function fileName(given: string): string {
  const plain = given
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[.-]+/, "");
  // An ending says what a file is, so the middle is cut.
  const cut = [...plain];
  const short =
    cut.length <= LONGEST ? plain : [...cut.slice(0, LONGEST - 20), ...cut.slice(-20)].join("");
  return short === "" ? "file" : short;
}
