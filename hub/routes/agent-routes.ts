import { guardOf } from "../../app/contract/checked.ts";
import { isJsonObject, type JsonValue } from "../../app/contract/json.ts";
import { AgentCreate } from "../../app/protocol/v1/rest.ts";
import type { HubParts } from "../hub-parts.ts";
import { Refusal } from "../refusal.ts";
import { registerAgent, replaceManifest } from "../registry/agents.ts";
import {
  changeConnection,
  checkConnectionChange,
  connectionChangeIn,
} from "../registry/connection-mode.ts";
import { readCheckedManifest } from "../registry/read-checked-manifest.ts";
import { refuseRemoved } from "../relations/removed.ts";
import { requireVisible } from "../rest/require-visible.ts";
import { bodyAs, created, ok, pathParam, type Route, routeWithBody } from "../rest/route.ts";
import { requirePerson } from "../rest/serve-rest.ts";
import { agentView } from "../storage/agent-store.ts";
import { AGENT_TOKEN_PREFIX, matchesTokenHash } from "../tokens/bearer-token.ts";
import { manifestBytesIn } from "./manifest-bytes.ts";

const isAgentCreate = guardOf(AgentCreate);
const isManifestUpdate = (value: unknown): value is { readonly capability_manifest: JsonValue } =>
  isJsonObject(value) && Object.keys(value).join() === "capability_manifest";

export function agentRoutes(parts: HubParts): readonly Route[] {
  return [
    routeWithBody({
      method: "POST",
      path: "/agents",
      auth: "person",
      tooLarge: "MANIFEST_TOO_LARGE",
      isBody: isAgentCreate,
      async handle({ name, connection_mode = "websocket", webhook_url }, { body }) {
        const change = { connection_mode, ...(webhook_url === undefined ? {} : { webhook_url }) };
        requireVisible(name);
        checkConnectionChange(change);
        const checked = await readCheckedManifest(manifestBytesIn(body), parts.checkSchema);
        const { agent, token } = parts.atomically(() => registerAgent(parts, name, checked));
        return created({
          agent_id: agent.agent_id,
          capability_manifest_version: agent.manifest_version,
          capability_manifest_hash: agent.manifest_hash,
          breaking_changes: [],
          token,
          ...(connection_mode === "webhook"
            ? changeConnection(parts, agent.agent_id, change)
            : undefined),
        });
      },
    }),
    {
      method: "GET",
      path: "/agents/:id",
      auth: "none",
      handle(request) {
        const agent = parts.agents.find(pathParam(request, "id"));
        if (agent === undefined) throw new Refusal("NOT_FOUND");
        return ok(agentView(agent, parts.webhooks.has(agent.agent_id)));
      },
    },
    {
      method: "PATCH",
      path: "/agents/:id",
      auth: "own",
      tooLarge: "MANIFEST_TOO_LARGE",
      async handle(request) {
        const agentId = pathParam(request, "id");
        const by = await authorise(parts, agentId, request.bearer);
        const change = connectionChangeIn(request.body);
        if (change !== undefined) return ok(changeConnection(parts, agentId, change));
        if (by === "person") bodyAs(request.body, isManifestUpdate);
        const manifest = by === "agent" ? request.body : manifestBytesIn(request.body);
        const checked = await readCheckedManifest(manifest, parts.checkSchema);
        // The person may have removed the agent while its schemas were looked at.
        if (by === "agent") refuseRemoved(parts, agentId);
        return ok(replaceManifest(parts, agentId, checked));
      },
    },
  ];
}

/**
 * contract §8: the owner sends `{capability_manifest}`, the agent itself the bare manifest.
 * @throws Refusal UNAUTHENTICATED, AGENT_REMOVED, NOT_FOUND, FORBIDDEN
 */
async function authorise(
  parts: HubParts,
  agentId: string,
  bearer: string | undefined,
): Promise<"agent" | "person"> {
  const agent = parts.agents.find(agentId);
  if (bearer?.startsWith(AGENT_TOKEN_PREFIX) === true) {
    if (agent === undefined || !matchesTokenHash(bearer, agent.token_hash)) {
      throw new Refusal("UNAUTHENTICATED");
    }
    refuseRemoved(parts, agentId);
    return "agent";
  }
  await requirePerson(parts, bearer);
  if (agent === undefined) throw new Refusal("NOT_FOUND");
  if (agent.owner_id !== parts.userId) throw new Refusal("FORBIDDEN");
  return "person";
}
