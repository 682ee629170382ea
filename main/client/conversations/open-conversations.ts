import type { CONVERSATION_CALLS } from "../../../app/bridge/conversation-calls.ts";
import { SYSTEM_CONVERSATION } from "../../../app/bridge/conversation-views.ts";
import type { CallHandlers } from "../../../app/bridge/register-calls.ts";
import { mayStream } from "../../../app/contract/manifest.ts";
import type { HubChannel, HubEvents } from "../../channels/hub-channel.ts";
import type { ConversationRest, GroupRest } from "../../channels/hub-rest.ts";
import type { ConversationStore } from "../../storage/index.ts";
import type { HubAgentReader } from "../agents/known-agents.ts";
import type { CallTargets } from "../calls/recalled-calls.ts";
import { done } from "../done.ts";
import type { AgentStates, Presence } from "../hub/presence.ts";
import { fullHistoriesNotice, type Notices } from "../notices.ts";
import type { ProgramEvents } from "../program-events.ts";
import type { ProgramParts } from "../program-parts.ts";
import { Conversations } from "./conversations.ts";
import { GroupActions } from "./groups.ts";
import { itemId } from "./item-views.ts";
import { ManifestUpdates } from "./manifest-updates.ts";

/** The agent id under which the schemas of pasted manifests are compiled. */
const CHECK_OWNER = "pasted";

export interface ConversationModule {
  readonly parts: Pick<
    ProgramParts,
    | "store"
    | "hub"
    | "hostKey"
    | "time"
    | "naming"
    | "checkSchema"
    | "deliverFile"
    | "microphone"
    | "report"
  >;
  readonly agents: HubAgentReader;
  readonly targets: Pick<CallTargets, "withTarget">;
  readonly settledFor: (agentId: string) => Promise<void>;
  readonly presence: Presence;
  readonly statuses: Pick<AgentStates, "of">;
  readonly notices: Notices;
  readonly events: ProgramEvents;
  readonly rest: ConversationRest & GroupRest;
  /** Created after this room, so it is looked up when there is something to send. */
  readonly channel: () => Pick<HubChannel, "post" | "markRead" | "tellFull" | "askArtifact">;
}

export interface OpenedConversations {
  readonly conversations: Conversations;
  readonly kept: ConversationStore;
  readonly manifests: ManifestUpdates;
  readonly groups: GroupActions;
  /** The part of the hub channel that conversations use. */
  readonly heard: Pick<HubEvents, "stream" | "typing" | "groupUpdated" | "messageRead">;
}

/** Creates everything about conversations and connects it to the program's other parts. */
export function openConversations(room: ConversationModule): OpenedConversations {
  const { rest, channel, agents, presence, statuses, notices, events, parts } = room;
  const { store, hub, hostKey, time, naming, report } = parts;
  const kept = store.conversations(hostKey.keyFor("conversations"));
  const conversations = new Conversations({
    userId: hub.userId,
    store: kept,
    activity: {
      async page(filter) {
        const page = await store.activity.page(filter);
        return { ...page, rows: page.rows.map((row) => room.targets.withTarget(row)) };
      },
    },
    rest,
    scheduler: time.scheduler,
    now: () => store.clock.now(),
    agents,
    settledFor: room.settledFor,
    isOnline: (agentId) => presence.isOnline(agentId),
    statuses,
    naming,
    post: (message, delivery) => channel().post(message, delivery),
    ask: (id, fetch) => channel().askArtifact(id, fetch),
    deliver: parts.deliverFile,
    microphone: parts.microphone,
    tellRead: (id, seq) => channel().markRead(id, seq),
    histories: {
      tell: (agentId, isFull) => channel().tellFull(agentId, isFull),
      notify(full) {
        if (full.length === 0) notices.settle("history_full");
        else notices.add(fullHistoriesNotice(full, (agentId) => naming.label(agentId)));
      },
    },
    emit: (name, event) => events.tell(name, event),
    changed: () => events.changed("conversations.changed"),
    report,
  });
  const manifests = new ManifestUpdates({
    agent: (agentId) => store.agents.agent(agentId),
    checkSchema: (schema) => parts.checkSchema(CHECK_OWNER, schema),
    rest,
    note: (note) => conversations.note(SYSTEM_CONVERSATION, note),
    report,
  });
  const groups = new GroupActions(rest, hub.userId, (id) => conversations.groupChanged(id));
  return { conversations, kept, manifests, groups, heard: heardBy(conversations, agents) };
}

const STREAM_KINDS = {
  "stream.start": "opened",
  "stream.delta": "delta",
  "stream.done": "done",
  "stream.abort": "aborted",
  "stream.error": "aborted",
} as const;

const heardBy = (
  conversations: Conversations,
  agents: HubAgentReader,
): OpenedConversations["heard"] => ({
  stream({ type, conversation_id, stream_id, sender_id }, text) {
    const about = { conversation_id, stream_id, sender_id };
    const agent = agents.agent(sender_id);
    // The hub refuses them as well; it is not trusted to.
    const isRefused = agent !== undefined && !mayStream(agent.manifest);
    const kind = isRefused ? "aborted" : STREAM_KINDS[type];
    conversations.live.stream({ ...about, kind, text: text ?? "" });
  },
  typing({ type, conversation_id, sender_id }) {
    const { live } = conversations;
    if (type === "typing.start") live.showTyping(conversation_id, sender_id);
    else live.hideTyping(conversation_id, sender_id);
  },
  groupUpdated: ({ conversation_id }) => conversations.groupUpdated(conversation_id),
  messageRead: (frame) => conversations.messageRead(frame),
});

type ConversationHandlers = Pick<CallHandlers, keyof typeof CONVERSATION_CALLS>;

export const conversationHandlers = (
  { conversations, manifests, groups }: OpenedConversations,
  forget: (conversationId: string) => void,
): ConversationHandlers => ({
  "conversations.list": () => conversations.list(),
  "conversations.page": (args) => conversations.page(args),
  "conversations.text": ({ conversation_id, item_id }) => ({
    text: conversations.text(conversation_id, item_id),
  }),
  "conversations.send": async (args) => {
    const { item_id } = await conversations.send(args);
    return { item_id };
  },
  "conversations.record": (args) => done(conversations.voices.record(args)),
  "conversations.send_voice": async (args) => ({
    item_id: itemId((await conversations.voices.send(args)).number),
  }),
  "conversations.voice": (args) => conversations.voices.recording(args),
  "conversations.answer": async (args) => ({
    item_id: itemId((await conversations.artifacts.answer(args)).number),
  }),
  "conversations.file": (args) => conversations.artifacts.file(args),
  "conversations.mark_read": ({ conversation_id, seq }) =>
    done(conversations.markRead(conversation_id, seq)),
  "conversations.delete_history": async ({ conversation_id }) => {
    await conversations.deleteHistory(conversation_id);
    forget(conversation_id);
    return null;
  },
  "groups.create": ({ title, agent_ids }) => groups.create(title, agent_ids),
  "groups.rename": ({ conversation_id, title }) => done(groups.rename(conversation_id, title)),
  "groups.add_members": ({ conversation_id, agent_ids }) =>
    done(groups.add(conversation_id, agent_ids)),
  "groups.remove_member": ({ conversation_id, member_id }) =>
    done(groups.remove(conversation_id, member_id)),
  "groups.leave": ({ conversation_id }) => done(groups.leave(conversation_id)),
  "manifest.check_new": ({ text }) => manifests.checkNew(text),
  "manifest.check": ({ agent_id, text }) => manifests.check(agent_id, text),
  "manifest.apply": ({ agent_id, text, digest }) => manifests.apply(agent_id, text, digest),
});
