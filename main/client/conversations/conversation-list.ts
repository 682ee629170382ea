import { type RelationStatus, shownName } from "../../../app/bridge/agent-views.ts";
import {
  type ConversationView,
  LAST_TEXT_MAX,
  type MemberView,
  type OffersView,
  SYSTEM_CONVERSATION,
} from "../../../app/bridge/conversation-views.ts";
import {
  joinsGroups,
  type Manifest,
  mayStream,
  takesVoice,
} from "../../../app/contract/manifest.ts";
import type { HubAgent } from "../../../app/grants/grant.ts";
import type { ConversationView as HubConversation } from "../../../app/protocol/v1/answers.ts";
import { createI18n, LOCALES, type LocaleName } from "../../../i18n/index.ts";
import { Looks, markOf } from "../../names/looks.ts";
import type { ConversationStore } from "../../storage/index.ts";
import type { AgentNaming } from "../agents/agent-naming.ts";
import type { HubAgentReader } from "../agents/known-agents.ts";
import type { AgentStates } from "../hub/presence.ts";
import { formatOf, shortened, textOf } from "./item-views.ts";

export interface ListSources {
  readonly userId: string;
  readonly store: Pick<ConversationStore, "ids" | "state">;
  readonly agents: HubAgentReader;
  isOnline(agentId: string): boolean;
  readonly statuses: Pick<AgentStates, "of">;
  readonly naming: Pick<AgentNaming, "petname">;
  /** Whether a stranger has a name that looks like one of the person's agents'. */
  isBorrowed(member: Pick<MemberView, "member_id" | "name">): boolean;
  groups(): readonly HubConversation[];
  /** How far a member has read, as far as known. */
  readSeq(conversationId: string, memberId: string): number;
}

/** Every conversation of the person, by its id. */
export function conversationViews(sources: ListSources): ReadonlyMap<string, Unmarked> {
  const views = new Map<string, Unmarked>();
  const add = (view: Unmarked) => views.set(view.conversation_id, view);
  for (const agent of sources.agents.list()) add(directView(agent, sources));
  for (const group of sources.groups()) add(groupView(group, sources));
  for (const id of sources.store.ids()) if (!views.has(id)) addKept(id, sources, add);
  add({ ...bare(SYSTEM_CONVERSATION, "system", sources), online: true });
  return views;
}

/** The newest first. */
export const conversationList = (
  views: ReadonlyMap<string, Unmarked>,
): readonly ConversationView[] =>
  withSharedTitles([...views.values()].sort((one, two) => (two.last_at ?? 0) - (one.last_at ?? 0)));

/** A conversation of which only the stored data is known. */
function bare(
  conversation_id: string,
  kind: ConversationView["kind"],
  { store }: ListSources,
): Unmarked {
  const { unread, newest } = store.state(conversation_id);
  const content = newest?.content ?? null;
  const message = content?.kind === "note" ? null : content;
  return {
    conversation_id,
    kind,
    title: null,
    agent_ids: [],
    members: [],
    unread,
    last_at: newest?.at ?? null,
    last_text: message === null ? null : shortened(textOf(message), LAST_TEXT_MAX),
    last_content: message && formatOf(message),
    last_sender_id: message?.sender_id ?? null,
    offers: SYSTEM_OFFERS,
    relation: "active",
    online: false,
    owned: false,
  };
}

function directView(agent: HubAgent, sources: ListSources): Unmarked {
  const { agent_id, name, manifest } = agent;
  const { conversation_id } = agent.relation;
  const { relation } = sources.statuses.of(agent_id);
  const online = sources.isOnline(agent_id);
  return {
    ...bare(conversation_id, "direct", sources),
    title: shownName({ name, petname: sources.naming.petname(agent_id) }),
    agent_ids: [agent_id],
    members: [
      memberOf(sources, conversation_id, { member_id: agent_id, is_agent: true, name, online }),
      me(sources, conversation_id),
    ],
    offers: offersOf(manifest, relation),
    relation,
    online,
  };
}

function groupView(group: HubConversation, sources: ListSources): Unmarked {
  const { conversation_id, title, members } = group;
  const agent_ids = members
    .filter(({ member_type }) => member_type === "agent")
    .map(({ member_id }) => member_id);
  return {
    ...bare(conversation_id, "group", sources),
    title,
    agent_ids,
    members: members.map(({ member_id, member_type, name, read_seq }) => {
      const is_agent = member_type === "agent";
      const online = is_agent ? sources.isOnline(member_id) : member_id === sources.userId;
      const view = memberOf(sources, conversation_id, { member_id, is_agent, name, online });
      return { ...view, read_seq: Math.max(read_seq, view.read_seq) };
    }),
    offers: groupOffers(
      members
        .filter(({ member_type, status }) => member_type === "agent" && status !== "suspended")
        .map(({ member_id }) => sources.agents.agent(member_id)?.manifest),
    ),
    owned: group.owner_id === sources.userId,
    online: agent_ids.some((agentId) => sources.isOnline(agentId)),
  };
}

/** Its agent was removed, or the person left the group; its history can still be read. */
function addKept(id: string, sources: ListSources, add: (view: Unmarked) => void): void {
  const { about } = sources.store.state(id);
  if (about === null) return;
  const { kind, title, agent_ids } = about;
  add({ ...bare(id, kind, sources), title, agent_ids, relation: "revoked" });
}

const memberOf = (
  sources: ListSources,
  conversationId: string,
  member: Pick<MemberView, "member_id" | "is_agent" | "name" | "online">,
): MemberView => {
  const { userId, readSeq, naming, isBorrowed, agents } = sources;
  const agent = agents.agent(member.member_id);
  return {
    ...member,
    petname: member.is_agent ? naming.petname(member.member_id) : null,
    name_is_borrowed: isBorrowed(member),
    is_me: member.member_id === userId,
    read_seq: readSeq(conversationId, member.member_id),
    draws_artifacts: agent === undefined || drawsArtifacts(agent.manifest),
  };
};

function me(sources: ListSources, conversationId: string): MemberView {
  const { read_seq } = sources.store.state(conversationId);
  const mine = { member_id: sources.userId, is_agent: false, name: null, online: true };
  return { ...memberOf(sources, conversationId, mine), read_seq };
}

/**
 * What is possible in a conversation with one agent, by its manifest's flags (contract §5). Voice has to
 * be offered; the others are there unless the manifest rules them out. A voice message is heard only
 * while the relation is active.
 */
function offersOf(manifest: Manifest, relation: RelationStatus): OffersView {
  return {
    text: relation !== "revoked",
    streaming: mayStream(manifest),
    artifacts: drawsArtifacts(manifest),
    voice: relation === "active" && takesVoice(manifest),
    groups: joinsGroups(manifest),
    tools: manifest.tools.length > 0,
  };
}

const drawsArtifacts = ({ capability_flags }: Pick<Manifest, "capability_flags">): boolean =>
  capability_flags?.supports_artifacts !== false;

/**
 * A group has messages and no tools (contract §1). Streams and artifacts are each agent's own matter;
 * a voice message goes to all, so all have to take it (contract §5).
 * @param manifests of its active agents; undefined: not one of the person's agents
 */
function groupOffers(manifests: readonly (Manifest | undefined)[]): OffersView {
  const hear = (manifest: Manifest | undefined) => manifest !== undefined && takesVoice(manifest);
  return {
    text: true,
    streaming: true,
    artifacts: true,
    voice: manifests.length > 0 && manifests.every(hear),
    groups: false,
    tools: false,
  };
}

const SYSTEM_OFFERS: OffersView = {
  text: false,
  streaming: false,
  artifacts: false,
  voice: false,
  groups: false,
  tools: false,
};

/** The languages a page may be in. */
const TEXTS = (Object.keys(LOCALES) as LocaleName[]).map((name) => createI18n(name).t);

/** A conversation whose title was not compared with the others. */
export type Unmarked = Omit<ConversationView, "title_is_shared" | "title_mark">;

/** All names of a conversation, on its own page and elsewhere. */
function namesOf({ kind, title, members }: Unmarked): readonly string[] {
  switch (kind) {
    case "system":
      return TEXTS.map((t) => t("conversations.system"));
    case "direct":
      return [title ?? "", ...TEXTS.map((t) => t("conversations.with", { agent: title ?? "" }))];
    case "group":
      return [title ?? membersIn(members)];
  }
}

const membersIn = (members: readonly MemberView[]): string =>
  members.flatMap(({ is_me, name, petname }) => (is_me ? [] : [petname ?? name ?? ""])).join(", ");

/** Other names are agents', which their keys distinguish. */
const isToldById = ({ kind, relation }: Unmarked): boolean =>
  kind === "group" || relation === "revoked";

/**
 * A group may have any title, and a removed agent keeps its name. If it looks like another
 * conversation's, both are marked as shared.
 */
export function withSharedTitles(views: readonly Unmarked[]): readonly ConversationView[] {
  const told = new Looks<string>();
  const others = new Looks<string>();
  const named = views.map((view) => ({ view, names: namesOf(view) }));
  for (const { view, names } of named) {
    const looks = isToldById(view) ? told : others;
    for (const name of names) looks.add(view.conversation_id, name);
  }
  return named.map(({ view, names }) => {
    const id = view.conversation_id;
    const isShared = (name: string) =>
      told.isShared(id, name) || (isToldById(view) && others.isShared(id, name));
    return {
      ...view,
      title_is_shared: names.some(isShared),
      title_mark: view.title === null ? null : markOf(view.title),
    };
  });
}
