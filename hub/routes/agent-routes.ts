import { isJsonObject, type JsonValue } from "../../app/contract/json.ts";
import { AgentCreate } from "../../app/protocol/v1/rest.ts";
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
  strictJsonIn,
} from "../rest/route.ts";
import { connectionChangeIn } from "../webhooks/connection-mode.ts";

const isManifestUpdate = (value: unknown): value is { readonly capability_manifest: JsonValue } =>
  isJsonObject(value) && Object.keys(value).join() === "capability_manifest";

/** Of `{capability_manifest}`, else the whole body; whoever may replace a manifest sends either. */
function manifestIn(body: Buffer): Uint8Array {
  return isManifestUpdate(strictJsonIn(body)) ? manifestBytesIn(body) : body;
}

export const agentRoutes = (agents: Agents): readonly Route[] => [
  routeWithBody(
    "POST",
    "/agents",
    "person",
    AgentCreate,
    async ({ name, connection_mode = "websocket", webhook_url }, { asker, body }) => {
      requireVisible(name);
      const change = { connection_mode, ...(webhook_url === undefined ? {} : { webhook_url }) };
      return created(await agents.register(asker, name, change, manifestBytesIn(body)));
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
      await agents.refuseStranger(request.asker, request.param("id"));
      return ok(await agents.previewManifest(request.param("id"), manifest));
    },
    "MANIFEST_TOO_LARGE",
  ),
  route(
    "PATCH",
    "/agents/:id",
    "member",
    async (request) => {
      const agentId = request.param("id");
      await agents.refuseStranger(request.asker, agentId);
      const { body } = request;
      const change = connectionChangeIn(body);
      if (change !== undefined) return ok(await agents.changeConnection(agentId, change));
      return ok(await agents.replaceManifest(agentId, request.asker, manifestIn(body)));
    },
    "MANIFEST_TOO_LARGE",
  ),
];
