import { type Manifest, manifestScope } from "../../app/contract/manifest.ts";
import type { RelationFrame } from "../../app/protocol/v1/frames.ts";
import type { RelationCreate, RelationUpdate, RelationView } from "../../app/protocol/v1/rest.ts";
import { type Conversations, conversationFrames } from "../conversations/conversations.ts";
import { refusal } from "../hub-error.ts";
import type { RandomBytes } from "../hub-options.ts";
import type { Relation, Subject } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { announceKey, keyFrames } from "../keys/key-directory.ts";
import type { Connections } from "../lines/connections.ts";
import { CLOSE } from "../lines/line.ts";
import { newId } from "../tokens/random-text.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { capabilityChangedFrame, isRemoved, relationFrame, withAnswer } from "./relation-frames.ts";

export interface RelationsParts {
  readonly storage: HubStorage;
  readonly connections: Connections;
  readonly webhooks: Webhooks;
  readonly conversations: Conversations;
  readonly random: RandomBytes;
}

type Which = Parameters<HubStorage["changeRelation"]>[0];
type Found = Parameters<Parameters<HubStorage["changeRelation"]>[1]>;
type ChangeType = RelationFrame["type"];
/** A change of a relation, and the frame that reports it; without a type there is none. */
type Change = readonly [relation: Relation, type: ChangeType | undefined];

/** Relations between agents and people, their scopes, and the reports of changes. */
export class Relations {
  readonly #parts: RelationsParts;

  constructor(parts: RelationsParts) {
    this.#parts = parts;
  }

  /** All of this person's. */
  list(by: Subject): Promise<readonly Relation[]> {
    return this.#parts.storage.relationsOf(by);
  }

  /** An active relation with these scopes, as it is for somebody who was never added. */
  fresh(agent_id: string, user_id: string, granted_scopes: readonly string[]): Relation {
    const { random } = this.#parts;
    return {
      relation_id: newId(random),
      agent_id,
      user_id,
      conversation_id: newId(random),
      granted_scopes,
      status: "active",
      connection_mode: "websocket",
      reauth: null,
      answer: null,
    };
  }

  /**
   * A revoked or suspended relation returns with its old id and conversation, granted from the present
   * manifest.
   * @returns also whether it was not active before
   * @throws Refusal NOT_FOUND, MANIFEST_CHANGED, SCOPE_UNKNOWN
   */
  async create(
    { id: user_id }: Subject,
    { agent_id, granted_scopes: scopes, capability_manifest_version: shown }: RelationCreate,
  ): Promise<{ readonly relation: Relation; readonly isNew: boolean }> {
    const fresh = this.fresh(agent_id, user_id, scopes);
    let isNew = true;
    const relation = await this.#change({ agent_id, user_id }, (agent, present) => {
      if (agent === undefined) throw refusal("NOT_FOUND");
      const { capability_manifest_version } = agent;
      if (shown !== undefined && shown !== capability_manifest_version) {
        throw refusal("MANIFEST_CHANGED", { capability_manifest_version });
      }
      isNew = present?.status !== "active";
      const { relation_id, conversation_id } = present ?? fresh;
      const { connection_mode, capability_manifest } = agent;
      const granted_scopes = checkedScopes(capability_manifest, scopes);
      const kept = { relation_id, conversation_id, connection_mode, granted_scopes };
      return [{ ...fresh, ...kept }, CREATED_AS[present?.status ?? "revoked"]];
    });
    return { relation, isNew };
  }

  /** @throws Refusal NOT_FOUND (also for a revoked one), SCOPE_UNKNOWN, BAD_REQUEST */
  update(
    by: Subject,
    relation_id: string,
    { granted_scopes, capability_manifest_version: version }: RelationUpdate,
  ): Promise<Relation> {
    return this.#change({ relation_id }, (agent, present) => {
      const living = livingOf(by, present);
      if (agent === undefined) throw refusal("NOT_FOUND");
      if (version !== undefined && version > agent.capability_manifest_version) {
        throw refusal("BAD_REQUEST", { fault: "capability_manifest_version" });
      }
      const { capability_manifest: manifest } = agent;
      const updated = { ...living, granted_scopes: checkedScopes(manifest, granted_scopes) };
      const answered = version === undefined ? updated : withAnswer(updated, manifest, version);
      return [answered, "relation.updated"];
    });
  }

  /**
   * While it is suspended nothing is delivered between the two; scopes and waiting messages stay.
   * Repeating it changes nothing. @throws Refusal NOT_FOUND (also revoked)
   */
  setStatus(by: Subject, relation_id: string, status: "active" | "suspended"): Promise<Relation> {
    const type = status === "active" ? "relation.restored" : "relation.suspended";
    return this.#change({ relation_id }, (_, present) => {
      const living = livingOf(by, present);
      return [{ ...living, status }, living.status === status ? undefined : type];
    });
  }

  /** Repeating it changes nothing. @throws Refusal NOT_FOUND */
  async revoke(by: Subject, relation_id: string): Promise<Relation> {
    return this.#change({ relation_id }, (_, present) => {
      const own = ownOf(by, present);
      const over = { granted_scopes: [], status: "revoked", reauth: null, answer: null } as const;
      return [{ ...own, ...over }, own.status === "revoked" ? undefined : "relation.revoked"];
    });
  }

  /** Tells the agent and the person if they are connected; else they learn it when they connect. */
  async announce(type: ChangeType, relation: Relation): Promise<void> {
    const { connections, webhooks } = this.#parts;
    const { agent_id, user_id, conversation_id } = relation;
    const frame = relationFrame(type, relation);
    connections.send(agent_id, frame);
    connections.send(user_id, frame);
    webhooks.wake(agent_id, conversation_id);
    if (type !== "relation.established" && type !== "relation.restored") return;
    const online = await connections.isOnline(agent_id);
    connections.send(user_id, { type: "agent.presence", agent_id, online });
  }

  /** To the person alone: the agent is reached another way, of which it knows itself. */
  async announceConnectionMode(agentId: string): Promise<void> {
    const { storage, connections } = this.#parts;
    for (const relation of await storage.relationsOf({ id: agentId, type: "agent" })) {
      if (relation.status === "revoked") continue;
      connections.send(relation.user_id, relationFrame("relation.updated", relation));
    }
  }

  /** Tells those who have the agent whether it can be reached now. */
  async announcePresence(agent_id: string): Promise<void> {
    const { storage, connections } = this.#parts;
    const relations = await storage.relationsOf({ id: agent_id, type: "agent" });
    const isOnline = await connections.isOnline(agent_id);
    for (const { user_id, status } of relations) {
      if (status === "suspended") continue;
      // People who have removed the agent cannot reach it, although the hub can.
      const online = isOnline && status === "active";
      connections.send(user_id, { type: "agent.presence", agent_id, online });
    }
  }

  async #change(which: Which, decide: (...found: Found) => Change): Promise<Relation> {
    const { storage, connections, webhooks, conversations } = this.#parts;
    const { relation, type, answer, groupsLeft } = await storage.changeRelation(
      which,
      (...found) => {
        const [relation, type] = decide(...found);
        const isAnswer = type === "relation.updated" && relation.answer !== found[1]?.answer;
        const answer = isAnswer ? capabilityChangedFrame(relation) : undefined;
        const told = type === undefined ? [] : [relationFrame(type, relation), answer];
        const events = told.flatMap((frame) => (frame === undefined ? [] : webhooks.event(frame)));
        return { relation, events, type, answer };
      },
    );
    if (type === undefined) return relation;
    const { agent_id, user_id } = relation;
    await this.announce(type, relation);
    if (answer !== undefined) connections.send(agent_id, answer);
    for (const group of groupsLeft) {
      conversations.announce(group, {
        change: "members_removed",
        member_ids: [agent_id],
        by: user_id,
      });
    }
    if (type === "relation.restored") await this.#resume(agent_id);
    if (type === "relation.revoked") await this.#removed(agent_id);
    return relation;
  }

  /** Delivers what a suspended agent was not told, what others were not told of it, and what waited for it. */
  async #resume(id: string): Promise<void> {
    const { storage, connections, webhooks } = this.#parts;
    const snapshot = await storage.snapshot({ id, type: "agent" });
    const missed = [...conversationFrames(id, snapshot.conversations), ...keyFrames(snapshot)];
    for (const frame of missed) connections.send(id, frame);
    const keys = await storage.keysOf(id, id);
    if (keys !== undefined) await announceKey(this.#parts, id, keys.key_id);
    await connections.lookAgain(id);
    webhooks.wakeAll(id);
  }

  async #removed(id: string): Promise<void> {
    const { storage, connections } = this.#parts;
    await this.announcePresence(id);
    const isGone = isRemoved(await storage.relationsOf({ id, type: "agent" }));
    if (isGone) connections.closeAll(id, CLOSE.removed);
  }
}

/** @throws Refusal NOT_FOUND, also for another person's */
function ownOf({ id }: Subject, relation: Relation | undefined): Relation {
  if (relation?.user_id !== id) throw refusal("NOT_FOUND");
  return relation;
}

function livingOf(by: Subject, relation: Relation | undefined): Relation {
  const own = ownOf(by, relation);
  if (own.status === "revoked") throw refusal("NOT_FOUND");
  return own;
}

/** @throws Refusal SCOPE_UNKNOWN with `params.scopes` when the manifest does not have them all */
export function checkedScopes(manifest: Manifest, scopes: readonly string[]): readonly string[] {
  const unknown = scopes.filter((scope) => manifestScope(manifest, scope) === undefined);
  if (unknown.length > 0) throw refusal("SCOPE_UNKNOWN", { scopes: unknown });
  return [...new Set(scopes)];
}

/** What `POST /h2a/relations` says of one that was there already. */
const CREATED_AS = {
  active: "relation.updated",
  suspended: "relation.restored",
  revoked: "relation.established",
} as const satisfies Record<RelationView["status"], ChangeType>;
