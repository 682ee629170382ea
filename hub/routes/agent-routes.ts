import Type from "typebox";
import { isJsonObject, type JsonValue } from "../../app/contract/json.ts";
import { ManifestSchema } from "../../app/contract/manifest.ts";
import {
  AgentAnswer,
  AgentArrived,
  AgentCreated,
  AgentPatched,
  ManifestPreviewed,
} from "../../app/protocol/v1/answers.ts";
import { AgentArrival, AgentCreate, ConnectionChange } from "../../app/protocol/v1/rest.ts";
import type { Agents } from "../registry/agents.ts";
import { manifestBytesIn } from "../rest/member-text.ts";
import {
  bodyAs,
  created,
  invisible,
  ok,
  type Route,
  requireVisible,
  route,
  routeWithBody,
  strictJsonIn,
} from "../rest/route.ts";
import { MANIFEST_REFUSALS } from "../spec/refusals.ts";
import { SAMPLE } from "../spec/samples.ts";
import { connectionChangeIn } from "../webhooks/connection-mode.ts";

const isManifestUpdate = (value: unknown): value is { readonly capability_manifest: JsonValue } =>
  isJsonObject(value) && Object.keys(value).join() === "capability_manifest";

/** Of `{capability_manifest}`, else the whole body; whoever may replace a manifest sends either. */
function manifestIn(body: Buffer): Uint8Array {
  return isManifestUpdate(strictJsonIn(body)) ? manifestBytesIn(body) : body;
}

const ManifestUpdate = Type.Object(
  { capability_manifest: Type.Object({}) },
  { additionalProperties: false },
);
const NO_AGENT = { NOT_FOUND: "There is no such agent." };
const OTHERS_AGENT = { FORBIDDEN: "Another person registered or paired the agent." };
const WEBHOOK_FAULT = "`webhook_url`: there is one without `webhook`, or `webhook` without one.";
const WEBHOOK_URL_REFUSED =
  "`params.fault`: `not_a_url`; `not_https` (`http:` is for loopback alone); `has_credentials`; `private_address` (it names an address that is neither public nor loopback). Names are looked up at each delivery, which goes nowhere while they lead there.";

export const agentRoutes = (agents: Agents): readonly Route[] => [
  routeWithBody(
    "POST",
    "/agents",
    "person",
    {
      summary: "The person registers an agent; its token is told once",
      body: AgentCreate,
      bodyExample: { name: "Agent", capability_manifest: SAMPLE.manifest },
      status: 201,
      data: AgentCreated,
      dataExample: {
        ...SAMPLE.accepted,
        connection_mode: "websocket",
        token: `hsk_${"0".repeat(40)}`,
      },
      refusals: {
        BAD_REQUEST: `${invisible("name")} ${WEBHOOK_FAULT}`,
        WEBHOOK_URL_REFUSED,
        ...MANIFEST_REFUSALS,
      },
    },
    async ({ name, connection_mode = "websocket", webhook_url }, { asker, body }) => {
      requireVisible(name);
      const change = { connection_mode, ...(webhook_url === undefined ? {} : { webhook_url }) };
      return created(await agents.register(asker, name, change, manifestBytesIn(body)));
    },
  ),
  routeWithBody(
    "PUT",
    "/agents/:id",
    "person",
    {
      summary: "The person brings an agent along from another hub, under the ids it had there",
      body: AgentArrival,
      bodyExample: {
        name: "Agent",
        capability_manifest: SAMPLE.manifest,
        identity_card: SAMPLE.keys.identity_card,
        relation_id: SAMPLE.relation.relation_id,
        conversation_id: SAMPLE.conversation.conversation_id,
      },
      data: AgentArrived,
      dataExample: { agent_id: SAMPLE.ids.agent_id, token: `hsk_${"0".repeat(40)}` },
      refusals: {
        BAD_REQUEST: `${invisible("name")} \`identity_card\`: it cannot be read, is no agent's, or has another id.`,
        FORBIDDEN: "One of the ids belongs to somebody else.",
        ...MANIFEST_REFUSALS,
      },
    },
    async (arrival, request) => {
      requireVisible(arrival.name);
      const manifest = manifestBytesIn(request.body);
      return ok(await agents.arrive(request.asker, request.param("id"), arrival, manifest));
    },
  ),
  route(
    "GET",
    "/agents/:id",
    "none",
    {
      summary: "An agent and its manifest",
      data: AgentAnswer,
      dataExample: SAMPLE.agent,
      refusals: NO_AGENT,
    },
    async (request) => ok(await agents.view(request.param("id"))),
  ),
  route(
    "POST",
    "/agents/:id/manifest-preview",
    "person",
    {
      summary: "What a manifest would break if the person uploaded it; nothing changes",
      body: ManifestUpdate,
      bodyExample: { capability_manifest: SAMPLE.manifest },
      data: ManifestPreviewed,
      dataExample: SAMPLE.accepted,
      refusals: { ...NO_AGENT, ...OTHERS_AGENT, ...MANIFEST_REFUSALS },
    },
    async (request) => {
      bodyAs(request.body, isManifestUpdate);
      const manifest = manifestBytesIn(request.body);
      await agents.refuseStranger(request.asker, request.param("id"));
      return ok(await agents.previewManifest(request.param("id"), manifest));
    },
  ),
  route(
    "PATCH",
    "/agents/:id",
    "member",
    {
      summary: "A new manifest, or another way to be reached",
      body: Type.Union([ManifestUpdate, ConnectionChange, ManifestSchema]),
      bodyExample: SAMPLE.manifest,
      data: AgentPatched,
      dataExample: SAMPLE.accepted,
      refusals: {
        NOT_FOUND: "A person asked, and there is no such agent.",
        ...OTHERS_AGENT,
        BAD_REQUEST: `There is a \`connection_mode\`, and the body does not go with it: \`params.fault\`. ${WEBHOOK_FAULT}`,
        WEBHOOK_URL_REFUSED,
        ...MANIFEST_REFUSALS,
      },
    },
    async (request) => {
      const agentId = request.param("id");
      await agents.refuseStranger(request.asker, agentId);
      const { body } = request;
      const change = connectionChangeIn(body);
      if (change !== undefined) return ok(await agents.changeConnection(agentId, change));
      return ok(await agents.replaceManifest(agentId, request.asker, manifestIn(body)));
    },
  ),
];
