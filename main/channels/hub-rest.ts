import type { Manifest } from "../../app/contract/manifest.ts";
import type { ConversationSummary, ConversationView } from "../../app/protocol/v1/conversation.ts";
import type {
  AgentView,
  ManifestAccepted,
  RelationCreate,
  RelationView,
} from "../../app/protocol/v1/rest.ts";

/** Why a request failed: the hub's own error code, `hub_unreachable` or `hub_unreadable`. */
export class HubRestError extends Error {
  override readonly name = "HubRestError";
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

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
  answerPairing(
    pairingId: string,
    answer: { readonly accept: boolean; readonly granted_scopes: readonly string[] },
  ): Promise<(AgentView & RelationView) | null>;
  createRelation(wanted: RelationCreate): Promise<RelationView>;
  /** @param answered the manifest version whose page the person has answered with these scopes */
  setGrantedScopes(relationId: string, scopes: readonly string[], answered?: number): Promise<void>;
  setSuspended(relationId: string, suspended: boolean): Promise<void>;
  revokeRelation(relationId: string): Promise<void>;
}

/** One request; resolves to the `data` of the answer. @throws HubRestError */
export type HubRequest = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** @param accessToken fetched for every request: tokens are valid for five minutes */
export const hubRequest =
  (baseUrl: string, accessToken: () => Promise<string>): HubRequest =>
  async (method, path, body) => {
    const authorization = `Bearer ${await accessToken()}`;
    const response = await fetch(new URL(path, baseUrl), {
      method,
      redirect: "error",
      headers: { authorization, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new HubRestError("hub_unreachable");
    });
    return unwrap(response);
  };

/** The hub's REST side as the person's client uses it. */
export function hubRest(request: HubRequest): HubRest & ConversationRest & GroupRest {
  return {
    ...groupRest(request),
    relations: async () => (await request("GET", "/h2a/relations")) as readonly RelationView[],
    agent: async (agentId) =>
      (await request("GET", `/agents/${encodeURIComponent(agentId)}`)) as AgentView,
    conversations: async () =>
      (await request("GET", "/conversations")) as readonly ConversationSummary[],
    conversation: async (conversationId) => {
      const path = `/conversations/${encodeURIComponent(conversationId)}`;
      return (await request("GET", path)) as ConversationView;
    },
    replaceManifest: async (agentId, manifest) => {
      const path = `/agents/${encodeURIComponent(agentId)}`;
      return (await request("PATCH", path, { capability_manifest: manifest })) as ManifestAccepted;
    },
    previewManifest: async (agentId, manifest) => {
      const path = `/agents/${encodeURIComponent(agentId)}/manifest-preview`;
      return (await request("POST", path, { capability_manifest: manifest })) as ManifestAccepted;
    },
    answerPairing: async (pairingId, answer) => {
      const path = `/pairings/${encodeURIComponent(pairingId)}/answer`;
      const data = await request("POST", path, answer);
      return answer.accept ? (data as AgentView & RelationView) : null;
    },
    createRelation: async (wanted) =>
      (await request("POST", "/h2a/relations", wanted)) as RelationView,
    setGrantedScopes: async (relationId, scopes, answered) => {
      const path = `/h2a/relations/${encodeURIComponent(relationId)}`;
      await request("PATCH", path, {
        granted_scopes: scopes,
        ...(answered === undefined ? {} : { capability_manifest_version: answered }),
      });
    },
    setSuspended: async (relationId, suspended) => {
      const change = suspended ? "suspend" : "restore";
      await request("POST", `/h2a/relations/${encodeURIComponent(relationId)}/${change}`);
    },
    revokeRelation: async (relationId) => {
      await request("DELETE", `/h2a/relations/${encodeURIComponent(relationId)}`);
    },
  };
}

function groupRest(request: HubRequest): GroupRest {
  const path = (id: string) => `/conversations/${encodeURIComponent(id)}`;
  return {
    createGroup: async (title, agent_ids) => {
      const named = title === null ? {} : { title };
      const body = { type: "group", ...named, agent_ids };
      return (await request("POST", "/conversations", body)) as ConversationView;
    },
    renameGroup: async (id, title) => void (await request("PATCH", path(id), { title })),
    addMembers: async (id, agent_ids) =>
      void (await request("POST", `${path(id)}/members`, { agent_ids })),
    removeMember: async (id, memberId) =>
      void (await request("DELETE", `${path(id)}/members/${encodeURIComponent(memberId)}`)),
  };
}

/** The hub's envelope: `{data}` or `{error}` (contract §8). */
async function unwrap(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => undefined);
  if (typeof body !== "object" || body === null) throw new HubRestError("hub_unreachable");
  if ("data" in body) return body.data;
  const error = "error" in body ? body.error : undefined;
  const coded = typeof error === "object" && error !== null && "code" in error;
  throw new HubRestError(coded ? String(error.code) : "hub_unreachable");
}
