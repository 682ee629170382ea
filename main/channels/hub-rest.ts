import { errorKind } from "../../app/contract/coded-error.ts";
import type { Manifest } from "../../app/contract/manifest.ts";
import { readHubAnswer } from "../../app/protocol/link/hub-answer.ts";
import type { ConversationSummary, ConversationView } from "../../app/protocol/v1/answers.ts";
import type {
  AgentArrival,
  AgentView,
  ManifestAccepted,
  RelationCreate,
  RelationView,
} from "../../app/protocol/v1/rest.ts";
import { certificateFault, fetchHub } from "./hub-transport.ts";

/** Why a request failed: the hub's own error code, `hub_unreachable`, `hub_unreadable` or `hub_certificate_…`. */
export const hubRestError = errorKind<string>("HubRestError");

/** The part that conversations need. */
export interface ConversationRest {
  conversations(): Promise<readonly ConversationSummary[]>;
  conversation(conversationId: string): Promise<ConversationView>;
  /** As the person, who owns the agent (contract §8). */
  replaceManifest(agentId: string, manifest: Manifest): Promise<ManifestAccepted>;
  /** What that would break; nothing changes. */
  previewManifest(agentId: string, manifest: Manifest): Promise<ManifestAccepted>;
}

/** The person's groups. */
export interface GroupRest {
  createGroup(title: string | null, agentIds: readonly string[]): Promise<ConversationView>;
  renameGroup(conversationId: string, title: string | null): Promise<void>;
  addMembers(conversationId: string, agentIds: readonly string[]): Promise<void>;
  removeMember(conversationId: string, memberId: string): Promise<void>;
}

export interface HubRest {
  relations(): Promise<readonly RelationView[]>;
  agent(agentId: string): Promise<AgentView>;
  registerAgent(
    name: string,
    manifest: Manifest,
  ): Promise<{ readonly agent_id: string; readonly token: string }>;
  answerPairing(
    pairingId: string,
    answer: { readonly accept: boolean; readonly granted_scopes: readonly string[] },
  ): Promise<(AgentView & RelationView) | null>;
  /** An agent that comes along to this hub. */
  bringAgent(
    agentId: string,
    arrival: Omit<AgentArrival, "capability_manifest"> & { readonly manifest: Manifest },
  ): Promise<{ readonly token: string | null }>;
  createRelation(wanted: RelationCreate): Promise<RelationView>;
  /** @param answered the manifest version whose page the person has answered with these scopes */
  setGrantedScopes(relationId: string, scopes: readonly string[], answered?: number): Promise<void>;
  setSuspended(relationId: string, suspended: boolean): Promise<void>;
  revokeRelation(relationId: string): Promise<void>;
}

/** One request; resolves to the `data` of the answer, unchecked. @throws HubRestError */
export type HubRequest = <Data>(method: string, path: string, body?: unknown) => Promise<Data>;

/**
 * @param baseUrl a function where the person may move to another hub
 * @param accessToken fetched for every request: tokens are valid for five minutes; null: none is needed
 */
export const hubRequest =
  (baseUrl: string | (() => string), accessToken: (() => Promise<string>) | null): HubRequest =>
  async <Data>(method: string, path: string, body?: unknown) => {
    const who = accessToken && { authorization: `Bearer ${await accessToken()}` };
    const response = await fetchHub(
      new URL(path, typeof baseUrl === "string" ? baseUrl : baseUrl()),
      {
        method,
        redirect: "error",
        headers: { ...who, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
    ).catch((error: unknown) => {
      throw hubRestError(certificateFault(error) ?? "hub_unreachable");
    });
    const text = await response.text().catch(() => "");
    const answer = readHubAnswer(response.status, text);
    if (answer.kind === "data") return answer.data as Data;
    const isCoded = answer.kind === "refused" && !answer.code.startsWith("HTTP_");
    throw hubRestError(isCoded ? answer.code : "hub_unreachable");
  };

/** The hub's REST side as the person's client uses it. */
export function hubRest(request: HubRequest): HubRest & ConversationRest & GroupRest {
  const agent = (id: string) => `/agents/${encodeURIComponent(id)}`;
  const relation = (id: string) => `/h2a/relations/${encodeURIComponent(id)}`;
  return {
    ...groupRest(request),
    relations: () => request("GET", "/h2a/relations"),
    agent: (agentId) => request("GET", agent(agentId)),
    registerAgent: (name, capability_manifest) =>
      request("POST", "/agents", { name, capability_manifest }),
    conversations: () => request("GET", "/conversations"),
    conversation: (conversationId) => request("GET", conversationPath(conversationId)),
    replaceManifest: (agentId, capability_manifest) =>
      request("PATCH", agent(agentId), { capability_manifest }),
    previewManifest: (agentId, capability_manifest) =>
      request("POST", `${agent(agentId)}/manifest-preview`, { capability_manifest }),
    answerPairing: async (pairingId, answer) => {
      const path = `/pairings/${encodeURIComponent(pairingId)}/answer`;
      const data = await request<AgentView & RelationView>("POST", path, answer);
      return answer.accept ? data : null;
    },
    bringAgent: (agentId, { name, manifest, identity_card, relation_id, conversation_id }) => {
      const ids = { relation_id, conversation_id };
      const body = { name, capability_manifest: manifest, identity_card, ...ids };
      return request("PUT", agent(agentId), body);
    },
    createRelation: (wanted) => request("POST", "/h2a/relations", wanted),
    setGrantedScopes: (relationId, scopes, answered) =>
      request("PATCH", relation(relationId), {
        granted_scopes: scopes,
        ...(answered === undefined ? {} : { capability_manifest_version: answered }),
      }),
    setSuspended: (relationId, suspended) =>
      request("POST", `${relation(relationId)}/${suspended ? "suspend" : "restore"}`),
    revokeRelation: (relationId) => request("DELETE", relation(relationId)),
  };
}

function groupRest(request: HubRequest): GroupRest {
  return {
    createGroup: (title, agent_ids) => {
      const named = title === null ? {} : { title };
      return request("POST", "/conversations", { type: "group", ...named, agent_ids });
    },
    renameGroup: (id, title) => request("PATCH", conversationPath(id), { title }),
    addMembers: (id, agent_ids) =>
      request("POST", `${conversationPath(id)}/members`, { agent_ids }),
    removeMember: (id, memberId) =>
      request("DELETE", `${conversationPath(id)}/members/${encodeURIComponent(memberId)}`),
  };
}

const conversationPath = (id: string): string => `/conversations/${encodeURIComponent(id)}`;
