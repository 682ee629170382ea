import { SYSTEM_CONVERSATION } from "../../../app/bridge/conversation-views.ts";
import { mayStream } from "../../../app/contract/manifest.ts";
import type { HubChannel, HubEvents } from "../../channels/hub-channel.ts";
import type { ConversationRest, GroupRest } from "../../channels/hub-rest.ts";
import type { ConversationStore } from "../../storage/index.ts";
import type { HubAgentReader } from "../agents/known-agents.ts";
import type { CallTargets } from "../calls/call-targets.ts";
import type { Presence, Standings } from "../hub/presence.ts";
import { fullHistoriesNotice, type Notices } from "../notices.ts";
import type { ProgramEvents } from "../program-events.ts";
import type { ProgramParts } from "../program-parts.ts";
import { Conversations } from "./conversations.ts";
import { GroupActions } from "./group-actions.ts";
import { ManifestDesk } from "./manifest-desk.ts";

/** The agent id under which the schemas of pasted manifests are compiled. */
const CHECK_OWNER = "pasted";

export interface ConversationRoom {
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
  readonly presence: Presence;
  readonly standings: Pick<Standings, "of">;
  readonly notices: Notices;
  readonly events: ProgramEvents;
  readonly rest: ConversationRest & GroupRest;
  /** Created after this room, so it is looked up when there is something to send. */
  readonly channel: () => Pick<HubChannel, "post" | "markRead" | "tellFull" | "askArtifact">;
}

export interface OpenedConversations {
  readonly conversations: Conversations;
  readonly kept: ConversationStore;
  readonly manifests: ManifestDesk;
  readonly groups: GroupActions;
  /** The part of the hub channel that conversations use. */
  readonly heard: Pick<HubEvents, "stream" | "typing" | "groupUpdated" | "messageRead">;
}

/** Creates everything about conversations and connects it to the program's other parts. */
export function openConversations(room: ConversationRoom): OpenedConversations {
  const { rest, channel, agents, presence, standings, notices, events, parts } = room;
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
    isOnline: (agentId) => presence.isOnline(agentId),
    standings,
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
  const manifests = new ManifestDesk({
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
