import { joinsGroups, mayStream } from "../../app/contract/manifest.ts";
import {
  BREAKING_CHANGES_TOLD,
  type BreakingChange,
} from "../../app/protocol/v1/breaking-change.ts";
import type { ReauthRequiredFrame } from "../../app/protocol/v1/frames.ts";
import type {
  AgentArrival,
  AgentView,
  ConnectionChange,
  ConnectionChanged,
  ManifestAccepted,
} from "../../app/protocol/v1/rest.ts";
import type { Conversations } from "../conversations/conversations.ts";
import { refusal } from "../hub-error.ts";
import type { Clock, HubOptions, RandomBytes } from "../hub-options.ts";
import type { Agent, NewAgent, NewNotice, Relation, Subject, Webhook } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { identityOf, readPublishedCard } from "../keys/key-directory.ts";
import type { Connections } from "../lines/connections.ts";
import { CLOSE } from "../lines/line.ts";
import { breakingChanges } from "../manifest-diff/breaking-changes.ts";
import type { OpenStreams } from "../messages/open-streams.ts";
import { isRemoved, withReauth } from "../relations/relation-frames.ts";
import type { Relations } from "../relations/relations.ts";
import { hashToken, newAgentToken } from "../tokens/access-token.ts";
import { isNewId, newId } from "../tokens/random-text.ts";
import { connectionChanged, webhookOf } from "../webhooks/connection-mode.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { type CheckedManifest, readCheckedManifest } from "./read-checked-manifest.ts";

export interface AgentsParts {
  readonly storage: HubStorage;
  readonly connections: Connections;
  readonly webhooks: Webhooks;
  readonly relations: Relations;
  readonly conversations: Conversations;
  readonly streams: Pick<OpenStreams, "giveUpAll">;
  readonly random: RandomBytes;
  readonly clock: Clock;
  readonly checkSchema: HubOptions["checkSchema"];
}

/** The registry: who the agents are, what they declare, and how they are reached. */
export class Agents {
  readonly #parts: AgentsParts;

  constructor(parts: AgentsParts) {
    this.#parts = parts;
  }

  /** As anybody may see it. @throws Refusal NOT_FOUND */
  async view(agentId: string): Promise<AgentView> {
    const { owner_id: _, ...view } = await this.#known(agentId);
    return view;
  }

  /** An agent changes itself, and its owner may. @throws Refusal NOT_FOUND, UNAUTHENTICATED, FORBIDDEN */
  async refuseStranger({ id, type }: Subject, agentId: string): Promise<void> {
    if (type === "agent" && id !== agentId) throw refusal("UNAUTHENTICATED");
    const { owner_id } = await this.#known(agentId);
    if (type === "human" && id !== owner_id) throw refusal("FORBIDDEN");
  }

  async #known(agentId: string): Promise<Agent> {
    const agent = await this.#parts.storage.agent(agentId);
    if (agent === undefined) throw refusal("NOT_FOUND");
    return agent;
  }

  /** @throws Refusal MANIFEST_TOO_LARGE, MANIFEST_INVALID, OVERLOADED */
  read(manifest: Uint8Array): Promise<CheckedManifest> {
    return readCheckedManifest(manifest, this.#parts.checkSchema);
  }

  /** Not stored yet. */
  fresh(
    about: Pick<NewAgent, "agent_id" | "name" | "owner_id" | "token_hash">,
    { manifest, hash }: Pick<CheckedManifest, "manifest" | "hash">,
  ): NewAgent {
    return { ...about, manifest, manifest_hash: hash, created_at: this.#parts.clock.now() };
  }

  /** @throws Refusal BAD_REQUEST, WEBHOOK_URL_REFUSED, and as `read` */
  async register(
    by: Subject,
    name: string,
    change: ConnectionChange,
    manifest: Uint8Array,
  ): Promise<ManifestAccepted & Partial<ConnectionChanged> & { readonly token: string }> {
    const { storage, connections, webhooks, random } = this.#parts;
    const agent_id = newId(random);
    const webhook = webhookOf(agent_id, change, random);
    const checked = await this.read(manifest);
    const token = newAgentToken(random);
    const secrets = { owner_id: by.id, token_hash: hashToken(token) };
    const agent = this.fresh({ agent_id, name, ...secrets }, checked);
    await storage.addAgent(agent, webhook);
    if (webhook !== undefined) {
      webhooks.switchedOn(webhook);
      await connections.announceCalled(agent_id);
    }
    return {
      agent_id,
      capability_manifest_version: 1,
      capability_manifest_hash: agent.manifest_hash,
      breaking_changes: [],
      warnings: checked.warnings,
      token,
      ...(webhook === undefined ? undefined : connectionChanged(agent_id, webhook)),
    };
  }

  /**
   * An agent that its person brings along from another hub, or back, under the ids it had there. Another
   * manifest than the one kept here is a change like any other.
   * @returns its token; null if it has connected here before, and has one
   * @throws Refusal BAD_REQUEST (fault `identity_card`), FORBIDDEN, and as `read`
   */
  async arrive(
    by: Subject,
    agent_id: string,
    asked: Omit<AgentArrival, "capability_manifest">,
    bytes: Uint8Array,
  ) {
    const { storage, relations, clock, random } = this.#parts;
    const card = readPublishedCard(asked.identity_card);
    if (card.ownerId !== agent_id || card.level === null || !isNewId(agent_id)) {
      throw refusal("BAD_REQUEST", { fault: "identity_card" });
    }
    const checked = await this.read(bytes);
    const token = newAgentToken(random);
    const secrets = { owner_id: by.id, token_hash: hashToken(token) };
    const agent = this.fresh({ agent_id, name: asked.name, ...secrets }, checked);
    const { relation_id, conversation_id } = asked;
    const relation = { ...relations.fresh(agent_id, by.id, []), relation_id, conversation_id };
    // Above every number that either end has seen: a hub that lost its numbers does the same.
    const identity = identityOf(card, null);
    const isFresh = await storage.arrive(
      agent,
      identity,
      relation,
      clock.now(),
      (own, met, isTaken) =>
        own === undefined
          ? !isTaken
          : own.owner_id === by.id &&
            met?.relation_id === relation_id &&
            met.conversation_id === conversation_id,
    );
    if (isFresh === undefined) throw refusal("FORBIDDEN");
    const there = await this.#known(agent_id);
    if (there.capability_manifest_hash !== checked.hash) {
      await this.replaceManifest(agent_id, by, bytes);
    }
    return { agent_id, token: isFresh ? token : null };
  }

  /**
   * What this manifest would break; nothing is stored, and nobody is told.
   * @throws Refusal NOT_FOUND, and as `read`
   */
  async previewManifest(agentId: string, bytes: Uint8Array): Promise<ManifestAccepted> {
    const checked = await this.read(bytes);
    const agent = await this.#known(agentId);
    const { capability_manifest_version } = agent;
    return { ...acceptedOver(agent, checked), capability_manifest_version };
  }

  /**
   * Accepts a new manifest: version +1, even for an identical one (contract §8).
   * @param by who uploads it: the person may have removed the agent while its schemas were checked
   * @throws Refusal NOT_FOUND, AGENT_REMOVED, and as `read`
   */
  async replaceManifest(
    agent_id: string,
    by: Subject,
    bytes: Uint8Array,
  ): Promise<ManifestAccepted> {
    const { storage, webhooks, conversations } = this.#parts;
    const checked = await this.read(bytes);
    const next = { manifest: checked.manifest, manifest_hash: checked.hash };
    const leavesGroups = !joinsGroups(checked.manifest);
    let owner = "";
    const replaced = await storage.replaceManifest(agent_id, next, (agent, all) => {
      owner = agent.owner_id;
      if (by.type === "agent" && isRemoved(all)) throw refusal("AGENT_REMOVED");
      // Suspended ones too: once restored, they must not use a manifest that nobody was shown.
      const living = all.filter(({ status }) => status !== "revoked");
      const accepted = acceptedOver(agent, checked);
      if (accepted.breaking_changes.length === 0) {
        return { accepted, living, relations: [], leavesGroups };
      }
      const relations = living.map((each) => {
        const notice = noticeOf(accepted, each);
        return {
          relation: withReauth(each, notice),
          events: [webhooks.event({ type: "h2a.reauth_required", payload: notice })],
          notice,
        };
      });
      return { accepted, living, relations, leavesGroups };
    });
    if (replaced === undefined) throw refusal("NOT_FOUND");
    this.#announce(owner, replaced.accepted, replaced.living, replaced.notices);
    conversations.announceLeft(replaced.groupsLeft, agent_id, by.id);
    if (!mayStream(checked.manifest)) {
      this.#parts.streams.giveUpAll(agent_id, "streaming_unsupported");
    }
    return replaced.accepted;
  }

  /**
   * Sets how the agent is reached from now on. What waits for it keeps waiting either way.
   * @returns for a webhook also its secret
   * @throws Refusal BAD_REQUEST, WEBHOOK_URL_REFUSED
   */
  async changeConnection(agent_id: string, change: ConnectionChange): Promise<ConnectionChanged> {
    const { storage, connections, relations, random } = this.#parts;
    const webhook = webhookOf(agent_id, change, random);
    if (webhook === undefined) await storage.removeWebhook(agent_id);
    else await storage.setWebhook(webhook);
    const wasOnline = await connections.isOnline(agent_id);
    const wasCalled = connections.isCalled(agent_id);
    this.switch(agent_id, webhook);
    if (connections.isCalled(agent_id) !== wasCalled) {
      await relations.announceConnectionMode(agent_id);
    }
    await connections.announceCalled(agent_id);
    if ((await connections.isOnline(agent_id)) !== wasOnline)
      await relations.announcePresence(agent_id);
    return connectionChanged(agent_id, webhook);
  }

  /** From here on this node reaches the agent so. The store has it already. */
  switch(agentId: string, webhook: Webhook | undefined): void {
    const { connections, webhooks } = this.#parts;
    if (webhook === undefined) {
      webhooks.switchedOff(agentId);
      return;
    }
    webhooks.switchedOn(webhook);
    // Only now: the agent counts as there all the time.
    connections.closeAll(agentId, CLOSE.webhookMode);
  }

  #announce(
    owner: string,
    { agent_id, capability_manifest_version, capability_manifest_hash }: ManifestAccepted,
    relations: readonly Relation[],
    notices: ReadonlyMap<string, ReauthRequiredFrame>,
  ): void {
    const { connections, webhooks } = this.#parts;
    for (const { conversation_id } of relations) webhooks.wake(agent_id, conversation_id);
    for (const userId of new Set([owner, ...relations.map(({ user_id }) => user_id)])) {
      connections.send(userId, {
        type: "agent.manifest_changed",
        payload: { agent_id, capability_manifest_version, capability_manifest_hash },
      });
      const notice = notices.get(userId);
      if (notice !== undefined) connections.send(userId, notice);
    }
  }
}

const acceptedOver = (
  agent: Agent,
  { manifest, hash, warnings }: CheckedManifest,
): ManifestAccepted => ({
  agent_id: agent.agent_id,
  capability_manifest_version: agent.capability_manifest_version + 1,
  capability_manifest_hash: hash,
  breaking_changes: breakingChanges(agent.capability_manifest, manifest),
  warnings,
});

/** Whoever has not granted a scope is asked about it only if it is new. */
function noticeOf(accepted: ManifestAccepted, { granted_scopes, reauth }: Relation): NewNotice {
  const { breaking_changes: changes } = accepted;
  // A client withdraws what it is told of and has granted meanwhile, so it is told either way.
  const told = changes.slice(0, BREAKING_CHANGES_TOLD);
  const isAsked = ({ kind, scope }: BreakingChange): boolean =>
    told.length < changes.length ||
    kind === "scope_added" ||
    granted_scopes.includes(scope) ||
    reauth?.scopes.includes(scope) === true;
  return {
    agent_id: accepted.agent_id,
    new_manifest_version: accepted.capability_manifest_version,
    new_manifest_hash: accepted.capability_manifest_hash,
    scopes_requiring_reauth: [...new Set(changes.filter(isAsked).map(({ scope }) => scope))],
    breaking_changes: told,
  };
}
