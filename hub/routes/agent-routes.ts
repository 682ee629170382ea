import { isJsonObject, type JsonValue } from "../../app/contract/json.ts";
import { AgentCreate } from "../../app/protocol/v1/rest.ts";
import { Refusal } from "../hub-error.ts";
import type { Agents } from "../registry/agents.ts";
import { manifestBytesIn } from "../rest/member-text.ts";
import {
  bodyAs,
  created,
  ok,
  type Route,
  requireVisible,
  route,
  routeWithBody,
} from "../rest/route.ts";
import { connectionChangeIn } from "../webhooks/connection-mode.ts";

const isManifestUpdate = (value: unknown): value is { readonly capability_manifest: JsonValue } =>
  isJsonObject(value) && Object.keys(value).join() === "capability_manifest";

export const agentRoutes = (agents: Agents): readonly Route[] => [
  routeWithBody(
    "POST",
    "/agents",
    "person",
    AgentCreate,
    async ({ name, connection_mode = "websocket", webhook_url }, { body }) => {
      requireVisible(name);
      const change = { connection_mode, ...(webhook_url === undefined ? {} : { webhook_url }) };
      return created(await agents.register(name, change, manifestBytesIn(body)));
    },
    "MANIFEST_TOO_LARGE",
  ),
  route("GET", "/agents/:id", "none", async (request) =>
    ok(await agents.view(request.param("id"))),
  ),
  route(
    "POST",
    "/agents/:id/manifest-preview",
    "person",
    async (request) => {
      bodyAs(request.body, isManifestUpdate);
      const manifest = manifestBytesIn(request.body);
      return ok(await agents.previewManifest(request.param("id"), manifest));
    },
    "MANIFEST_TOO_LARGE",
  ),
  route(
    "PATCH",
    "/agents/:id",
    "member",
    async (request) => {
      const { id, type } = request.asker;
      const agentId = request.param("id");
      if (type === "agent" && id !== agentId) throw new Refusal("UNAUTHENTICATED");
      await agents.view(agentId);
      const { body } = request;
      const change = connectionChangeIn(body);
      if (change !== undefined) return ok(await agents.changeConnection(agentId, change));
      // contract §8: the owner sends `{capability_manifest}`, the agent itself the bare manifest.
      if (type === "human") bodyAs(body, isManifestUpdate);
      const manifest = type === "agent" ? body : manifestBytesIn(body);
      return ok(await agents.replaceManifest(agentId, type, manifest));
    },
    "MANIFEST_TOO_LARGE",
  ),
];
