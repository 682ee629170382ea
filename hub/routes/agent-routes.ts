import { guardOf } from "../../app/contract/checked.ts";
import { isJsonObject, type JsonValue } from "../../app/contract/json.ts";
import { AgentCreate } from "../../app/protocol/v1/rest.ts";
import type { HubParts } from "../hub-parts.ts";
import { Refusal } from "../refusal.ts";
import { registerAgent, replaceManifest } from "../registry/agents.ts";
import { readCheckedManifest } from "../registry/read-checked-manifest.ts";
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
      isBody: isAgentCreate,
      async handle({ name }, { body }) {
        const checked = await readCheckedManifest(manifestBytesIn(body), parts.checkSchema);
        const { agent, token } = parts.atomically(() => registerAgent(parts, name, checked));
        return created({
          agent_id: agent.agent_id,
          capability_manifest_version: agent.manifest_version,
          capability_manifest_hash: agent.manifest_hash,
          breaking_changes: [],
          token,
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
        return ok(agentView(agent));
      },
    },
    {
      method: "PATCH",
      path: "/agents/:id",
      auth: "own",
      async handle(request) {
        const agentId = pathParam(request, "id");
        const manifest = await manifestOfPatch(parts, agentId, request.bearer, request.body);
        const checked = await readCheckedManifest(manifest, parts.checkSchema);
        return ok(replaceManifest(parts, agentId, checked));
      },
    },
  ];
}

/** contract §8: the owner sends `{capability_manifest}`, the agent itself the bare manifest. */
async function manifestOfPatch(
  parts: HubParts,
  agentId: string,
  bearer: string | undefined,
  body: Buffer,
): Promise<Uint8Array> {
  const agent = parts.agents.find(agentId);
  if (bearer?.startsWith(AGENT_TOKEN_PREFIX) === true) {
    if (agent !== undefined && matchesTokenHash(bearer, agent.token_hash)) return body;
    throw new Refusal("UNAUTHENTICATED");
  }
  await requirePerson(parts, bearer);
  if (agent === undefined) throw new Refusal("NOT_FOUND");
  if (agent.owner_id !== parts.userId) throw new Refusal("FORBIDDEN");
  bodyAs(body, isManifestUpdate);
  return manifestBytesIn(body);
}
