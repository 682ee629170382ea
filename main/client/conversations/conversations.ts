import { randomUUID } from "node:crypto";
import { shownName } from "../../../app/bridge/agent-views.ts";
import type { CallArgs } from "../../../app/bridge/calls.ts";
import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import type { ConsentCard } from "../../../app/bridge/consent-views.ts";
import type {
  ConversationItem,
  ConversationPage,
  ConversationView,
} from "../../../app/bridge/conversation-views.ts";
import type { ActivityRow } from "../../../app/bridge/views.ts";
import { takesVoice } from "../../../app/contract/manifest.ts";
import type { HubAgent } from "../../../app/grants/grant.ts";
import type { MessageReadRelayFrame } from "../../../app/protocol/v1/frames.ts";
import type { ArrivedMessage } from "../../channels/arrived-messages.ts";
import type { NoteContent, OwnMessage, StoredItem } from "../../storage/index.ts";
import { Artifacts } from "./artifacts.ts";
import { conversationList, conversationViews, type Unmarked } from "./conversation-list.ts";
import { byTime, conversationPage } from "./conversation-page.ts";
import type { ConversationPorts } from "./conversation-ports.ts";
import { FullHistories } from "./full-histories.ts";
import { Groups } from "./groups.ts";
import { lineView, numberOf, shownText, storedItemView } from "./item-views.ts";
import { keepArrived } from "./keep-arrived.ts";
import { LiveTexts } from "./live-texts.ts";
import { Outgoing } from "./outgoing.ts";
import { Voices } from "./voices.ts";
import { WaitingCalls } from "./waiting-calls.ts";

/** The person's side of every conversation: its stored messages, and what is happening now. */
export class Conversations {
  readonly live: LiveTexts;
  readonly artifacts: Artifacts;
  readonly voices: Voices;
  readonly #ports: ConversationPorts;
  readonly #outgoing: Outgoing;
  readonly #groups: Groups;
  readonly #waiting: WaitingCalls;
  readonly #histories: FullHistories;
  #isConnected = false;
  /** How far others have read, by conversation and member. */
  readonly #read = new Map<string, number>();

  constructor(ports: ConversationPorts) {
    this.#ports = ports;
    const { store, userId, report, scheduler, emit, post } = ports;
    const now = () => ports.now();
    this.#groups = new Groups({ ...ports, note: (...note) => this.note(...note) });
    const changed = (item: StoredItem) => this.#show(item);
    this.#outgoing = new Outgoing({ store, now, post, changed, report });
    const sending = {
      store,
      userId,
      view: (id: string) => this.#view(id),
      send: (id: string, clientMessageId: string, content: OwnMessage["content"]) =>
        this.#outgoing.send(id, clientMessageId, content),
    };
    this.artifacts = new Artifacts({ ...sending, ask: ports.ask, deliver: ports.deliver });
    this.voices = new Voices({ ...sending, microphone: ports.microphone });
    this.live = new LiveTexts({
      scheduler,
      now,
      stream: (event) => emit("conversation.stream", event),
      typing: (event) => emit("conversation.typing", event),
    });
    this.#histories = new FullHistories({ store, agents: ports.agents, ...ports.histories });
    this.#waiting = new WaitingCalls({
      scheduler,
      appeared: (id, item) => this.#tell(id, [item]),
      vanished: (id, itemId) => this.#tell(id, [], [itemId]),
    });
  }

  list(): readonly ConversationView[] {
    return conversationList(this.#views());
  }

  /** The hub's conversation, if there is one, after the person's own. */
  memberName(conversationId: string, memberId: string): string {
    const view = this.#views().get(conversationId);
    const member = view?.members.find(({ member_id }) => member_id === memberId);
    return shownName({ name: member?.name ?? memberId, petname: member?.petname ?? null });
  }

  /** @throws BridgeError `not_found` */
  async page(args: CallArgs<"conversations.page">): Promise<ConversationPage> {
    const { conversation_id, before, limit } = args;
    const view = this.#view(conversation_id);
    const { store, activity } = this.#ports;
    // An agent's entries are found faster than a conversation's.
    const agent_id = view.kind === "direct" ? (view.agent_ids[0] ?? null) : null;
    const sources = {
      view: (item: StoredItem) => this.#itemView(item),
      messages: (below: number, count: number) => store.before(conversation_id, below, count),
      lines: async (before_seq: number | null, count: number) =>
        view.kind === "system"
          ? { rows: [], next_before_seq: null }
          : activity.page({ conversation_id, agent_id, before_seq, limit: count }),
    };
    const page = await conversationPage(sources, before, limit);
    if (before !== undefined) return { ...page, streams: [], typing: [] };
    return {
      ...page,
      items: [...page.items, ...this.#waiting.in(conversation_id)].sort(byTime),
      streams: this.live.streamsIn(conversation_id),
      typing: this.live.typingIn(conversation_id),
    };
  }

  /** @throws BridgeError `not_found` */
  text(conversationId: string, itemId: string): string {
    const item = this.#ports.store.item(conversationId, numberOf(itemId));
    if (item?.content?.kind !== "message") throw bridgeError("not_found");
    return shownText(item.content);
  }

  /** @throws BridgeError `not_found`, `not_offered`; StoreError */
  async send(args: CallArgs<"conversations.send">): Promise<ConversationItem> {
    const { conversation_id, client_message_id, text, markdown = false } = args;
    if (!this.#view(conversation_id).offers.text) throw bridgeError("not_offered");
    const content = markdown ? "markdown" : "text";
    const item = await this.#outgoing.send(conversation_id, client_message_id, {
      kind: "message",
      sender_id: this.#ports.userId,
      content,
      text,
    });
    return this.#itemView(item);
  }

  /** @throws BridgeError `not_found`; StoreError */
  async markRead(conversationId: string, seq: number): Promise<void> {
    this.#view(conversationId);
    await this.#ports.store.markRead(conversationId, seq);
    this.#ports.tellRead(conversationId, seq);
    this.#ports.changed();
  }

  /** @throws BridgeError `not_found`; StoreError */
  async deleteHistory(conversationId: string): Promise<void> {
    const { kind, members } = this.#view(conversationId);
    const { store } = this.#ports;
    await store.empty(conversationId);
    // If only the history was left, there is nothing more to show.
    const isOnlyKept = kind !== "system" && members.length === 0;
    if (isOnlyKept && kind === "direct") await store.drop(conversationId);
    // The person may yet be added to the group again.
    if (isOnlyKept && kind === "group") await store.describe(conversationId, null);
    this.#emptied(conversationId);
  }

  /**
   * Removes an agent: its history is deleted, or kept by the person's choice and can then still be
   * read.
   * @throws StoreError
   */
  async agentLeaves(agent: HubAgent, keepHistory: boolean): Promise<void> {
    const { agent_id, name } = agent;
    const { conversation_id } = agent.relation;
    const { store } = this.#ports;
    if (!keepHistory) {
      await store.drop(conversation_id);
      this.#emptied(conversation_id);
      return;
    }
    const title = shownName({ name, petname: this.#ports.naming.petname(agent_id) });
    await store.describe(conversation_id, { kind: "direct", title, agent_ids: [agent_id] });
    this.#ports.changed();
  }

  /** The agent is no longer known. */
  agentLeft(): void {
    this.#histories.shrank();
  }

  /** Stores a note of what was done. @throws StoreError */
  async note(conversationId: string, note: NoteContent): Promise<void> {
    const at = this.#ports.now();
    this.#show(await this.#ports.store.note(conversationId, randomUUID(), at, note));
  }

  /** True once it is stored. */
  keep(message: ArrivedMessage): Promise<boolean> {
    const { store, agents, report } = this.#ports;
    const shown = (item: StoredItem) => {
      this.#show(item);
      this.#histories.grew(message.sender_id);
    };
    const isWithAgent = agents
      .list()
      .some(({ relation }) => relation.conversation_id === message.conversation_id);
    const fill = (item: StoredItem) => this.artifacts.fill(item);
    const takes = (id: string) => {
      const sender = agents.agent(id);
      // The hub refuses them as well; it is not trusted to.
      return sender === undefined || takesVoice(sender.manifest);
    };
    const now = this.#ports.now();
    const ports = { store, isWithAgent, takesVoice: takes, now, shown, fill, report };
    return keepArrived(ports, message);
  }

  /** Also called with `false` at shutdown: the store is not used after that. */
  connected(isConnected: boolean): void {
    this.#isConnected = isConnected;
    this.live.clear();
    if (!isConnected) return;
    this.#groups.reload();
    this.#outgoing.resume();
    this.#histories.connected();
    const told = this.#groups.settled().then(() => {
      if (this.#isConnected) this.#tellMarks();
    });
    told.catch(this.#ports.report);
  }

  groupUpdated(conversationId: string): void {
    this.#groups.updated(conversationId);
  }

  /** After a change that the person made; resolves once it is known here. */
  groupChanged(conversationId: string): Promise<void> {
    return this.#groups.refreshed(conversationId);
  }

  messageRead({ conversation_id, user_id, seq }: MessageReadRelayFrame): void {
    const { store, userId, changed, report } = this.#ports;
    // The person has read it elsewhere.
    if (user_id === userId) store.markRead(conversation_id, seq).then(changed, report);
    const key = JSON.stringify([conversation_id, user_id]);
    this.#read.set(key, Math.max(seq, this.#read.get(key) ?? 0));
    this.#ports.emit("conversation.read", { conversation_id, member_id: user_id, seq });
  }

  /** All calls that wait for the person now, and those whose denial can still be taken back. */
  waiting(cards: readonly ConsentCard[]): void {
    this.#waiting.now(cards);
  }

  /** A log entry was added or completed. */
  line(row: ActivityRow): void {
    this.#tell(row.conversation_id, [lineView(row)], this.#waiting.replacedBy(row));
  }

  /** Sends the read marks made without a connection; the hub ignores those it knows. */
  #tellMarks(): void {
    for (const { kind, conversation_id, relation } of this.#views().values()) {
      const { read_seq } = this.#ports.store.state(conversation_id);
      if (kind === "system" || relation === "revoked" || read_seq === 0) continue;
      this.#ports.tellRead(conversation_id, read_seq);
    }
  }

  #views(): ReadonlyMap<string, Unmarked> {
    return conversationViews({
      ...this.#ports,
      isBorrowed: this.#ports.naming.borrowing(),
      groups: () => this.#groups.list(),
      readSeq: (id, member) => this.#read.get(JSON.stringify([id, member])) ?? 0,
    });
  }

  #view(conversationId: string): Unmarked {
    const view = this.#views().get(conversationId);
    if (view === undefined) throw bridgeError("not_found");
    return view;
  }

  #itemView(item: StoredItem): ConversationItem {
    return storedItemView(item, this.#ports.userId, (each) => this.artifacts.answerTo(each));
  }

  #show(item: StoredItem): void {
    const answered = this.artifacts.answered(item);
    const items = answered === null ? [item] : [answered, item];
    this.#tell(
      item.conversation_id,
      items.map((each) => this.#itemView(each)),
    );
    this.#ports.changed();
  }

  #tell(
    conversation_id: string,
    items: readonly ConversationItem[],
    removed: readonly string[] = [],
  ): void {
    this.#ports.emit("conversation.items_changed", { conversation_id, items, removed });
  }

  #emptied(conversation_id: string): void {
    this.#histories.shrank();
    this.#ports.emit("conversation.emptied", { conversation_id });
    this.#ports.changed();
  }
}
