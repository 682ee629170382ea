import { beforeEach, describe, expect, it } from "vitest";
import { LIMITS } from "../../app/contract/limits.ts";
import { UNDELIVERED_AT_MOST } from "../../app/protocol/v1/frames.ts";
import { HUB_ERRORS, type HubErrorCode } from "../../app/protocol/v1/rest.ts";
import { ROUTES as routes } from "../testing/hub-caller.ts";
import { type AddedAgent, HubRig, type RestReply, sampleManifest } from "../testing/hub-rig.ts";
import { InvitedPerson } from "../testing/invited-person.ts";
import { keysOf } from "../testing/key-owner.ts";
import { crowd, manyId } from "../testing/many-agents.ts";
import { ofEachTest } from "../testing/of-each-test.ts";
import { refusalsOf } from "./refusals.ts";

const rig = ofEachTest(new HubRig());
let added: AddedAgent;
beforeEach(async () => {
  added = await rig.addAgent();
});

const pairing = (more: object = {}) => ({
  name: "A",
  capability_manifest: sampleManifest(),
  ...more,
});
const pair = async () => (await rig.rest("POST", "/pairings", { body: pairing() })).json.data;
const ARRIVING = `/agents/${"a".repeat(22)}`;
const arrival = async (more: object = {}) => ({
  ...pairing(more),
  identity_card: (await keysOf("a".repeat(22), 0, "ratchet")).body.identity_card,
  relation_id: "relation",
  conversation_id: "talk",
  ...more,
});
const group = (more: object = {}) => ({ type: "group", ...more });
const message = { client_message_id: "m", content_type: "text", encrypted_payload: "AGhp" };
const call = { ...message, content_type: "artifact", msg_subtype: "artifact_tool_call" };
const asAgent = (method: string, path: string, body?: unknown, token = added.token) =>
  rig.rest(method, path, { token, body });
const asPerson = (method: string, path: string, body?: unknown) => rig.asPerson(method, path, body);
const wrong = sampleManifest({ schema_version: "2.0" });
const update = (capability_manifest: object) => ({ capability_manifest });
const large = sampleManifest({ more: "x".repeat(LIMITS.manifestBytes) });

/** In a hub that from now on has no time to look at schemas. */
async function busy(ask: (agent: AddedAgent) => Promise<RestReply>): Promise<RestReply> {
  let isBusy = false;
  await rig.restart({ checkSchema: async () => (isBusy ? "busy" : []) });
  const agent = await rig.addAgent();
  isBusy = true;
  return ask(agent);
}
/** A second person asks; by default one who is no owner of the hub. */
const asAda = async (method: string, path: string, body?: unknown) =>
  (await InvitedPerson.at(rig, "ada")).ask(method, path, body);
const pairingPath = async (id?: string) => `/pairings/${id ?? (await pair()).pairing_id}`;
async function answered(): Promise<string> {
  const path = await pairingPath();
  await asPerson("POST", `${path}/answer`, { accept: false, granted_scopes: [] });
  return path;
}
async function made(...agents: string[]): Promise<string> {
  const body = group({ agent_ids: agents.length === 0 ? [added.agentId] : agents });
  const { json } = await asPerson("POST", "/conversations", body);
  return `/conversations/${json.data.conversation_id}`;
}
const relation = () => `/h2a/relations/${added.relation.relation_id}`;
const talk = () => `/conversations/${added.relation.conversation_id}`;
async function revoked(): Promise<string> {
  await asPerson("DELETE", relation());
  return relation();
}
async function ungroupable(): Promise<string> {
  const capability_manifest = sampleManifest({ capability_flags: { supports_group_chat: false } });
  await asPerson("PATCH", `/agents/${added.agentId}`, { capability_manifest });
  return added.agentId;
}
async function unrelated(): Promise<string> {
  const { json } = await asPerson("POST", "/agents", pairing());
  return json.data.agent_id;
}
const published = async (ownerId = added.agentId) => (await keysOf(ownerId)).body;
async function often(times: number, ask: () => Promise<RestReply>): Promise<RestReply> {
  let reply = await ask();
  for (let at = 1; at < times; at += 1) reply = await ask();
  return reply;
}
/** A hub with 500 agents that the person knows. */
async function crowded(ask: (ids: readonly string[]) => Promise<RestReply>): Promise<RestReply> {
  await rig.restart({ onDisk: true });
  await crowd(rig);
  return ask(Array.from({ length: 500 }, (_, at) => manyId(at)));
}

type Provoke = () => Promise<RestReply>;
/** By endpoint and code; with a third word the fault. */
const PROVOKED: Readonly<Record<string, Provoke>> = {
  "POST /auth/token BAD_REQUEST identity_card": () =>
    new InvitedPerson(rig.url, "ada").signIn({ identity_card: "AAAA" }),
  "POST /auth/token UNAUTHENTICATED": () => new InvitedPerson(rig.url, "ada").signIn(),
  "POST /auth/token INVITATION_INVALID": () =>
    new InvitedPerson(rig.url, "ada").signIn({ invitation: "none" }),
  "POST /auth/token ACCOUNT_SUSPENDED": async () => {
    const ada = await InvitedPerson.at(rig, "ada");
    await asPerson("POST", "/people/ada/suspend");
    return ada.signIn();
  },
  "POST /people/invitations BAD_REQUEST nothing_visible": () =>
    asPerson("POST", "/people/invitations", { name: " " }),
  "POST /people/invitations FORBIDDEN": () => asAda("POST", "/people/invitations", { name: "B" }),
  "GET /people FORBIDDEN": () => asAda("GET", "/people"),
  "POST /people/:id/suspend FORBIDDEN": () => asAda("POST", "/people/ada/suspend"),
  "POST /people/:id/suspend NOT_FOUND": () => asPerson("POST", "/people/none/suspend"),
  "POST /people/:id/restore FORBIDDEN": () => asAda("POST", "/people/ada/restore"),
  "POST /people/:id/restore NOT_FOUND": () => asPerson("POST", "/people/none/restore"),
  "DELETE /people/:id FORBIDDEN": () => asAda("DELETE", "/people/ada"),
  "DELETE /people/:id NOT_FOUND": () => asPerson("DELETE", "/people/none"),
  "POST /pairings NOT_FOUND": () =>
    rig.rest("POST", "/pairings", { body: pairing({ user_id: "none" }) }),
  "POST /pairings BAD_REQUEST identity_card": () =>
    rig.rest("POST", "/pairings", { body: pairing({ encryption: "ratchet" }) }),
  "POST /pairings BAD_REQUEST nothing_visible": () =>
    rig.rest("POST", "/pairings", { body: pairing({ name: " " }) }),
  "POST /pairings TOO_MANY_PAIRINGS": () =>
    often(4, () => rig.rest("POST", "/pairings", { body: pairing() })),
  "POST /pairings MANIFEST_INVALID": () =>
    rig.rest("POST", "/pairings", { body: pairing({ capability_manifest: wrong }) }),
  "POST /pairings MANIFEST_TOO_LARGE": () =>
    rig.rest("POST", "/pairings", { body: pairing({ capability_manifest: large }) }),
  "POST /pairings OVERLOADED": () => busy(() => rig.rest("POST", "/pairings", { body: pairing() })),
  "GET /pairings/:id BAD_REQUEST wait_ms": async () => {
    const { pairing_id, pairing_token: token } = await pair();
    return rig.rest("GET", `/pairings/${pairing_id}?wait_ms=soon`, { token });
  },
  "GET /pairings/:id NOT_FOUND": async () => rig.rest("GET", await pairingPath("none")),
  "DELETE /pairings/:id NOT_FOUND": async () => rig.rest("DELETE", await pairingPath("none")),
  "DELETE /pairings/:id PAIRING_EXPIRED": async () => {
    const { pairing_id, pairing_token: token } = await pair();
    rig.time.pass(LIMITS.pairingLifeMs);
    return rig.rest("DELETE", `/pairings/${pairing_id}`, { token });
  },
  "DELETE /pairings/:id PAIRING_CLOSED": async () => {
    const { pairing_id, pairing_token: token } = await pair();
    return often(2, () => rig.rest("DELETE", `/pairings/${pairing_id}`, { token }));
  },
  "POST /pairings/:id/answer BAD_REQUEST identity_card": async () => {
    const { identity_card } = (await keysOf("7aLk4eRz6uJg1wVx5oBq2c", 0, "ratchet")).body;
    const body = pairing({ identity_card, encryption: "ratchet" });
    const answer = { accept: true, granted_scopes: [] };
    const asked = [await rig.rest("POST", "/pairings", { body })];
    asked.push(await rig.rest("POST", "/pairings", { body }));
    const [first = "", second = ""] = asked.map(({ json }) => json.data?.pairing_id);
    await asPerson("POST", `/pairings/${first}/answer`, answer);
    return asPerson("POST", `/pairings/${second}/answer`, answer);
  },
  "POST /pairings/:id/answer NOT_FOUND": () =>
    asPerson("POST", "/pairings/none/answer", { accept: false, granted_scopes: [] }),
  "POST /pairings/:id/answer PAIRING_EXPIRED": async () => {
    const path = await pairingPath();
    rig.time.pass(LIMITS.pairingLifeMs);
    return asPerson("POST", `${path}/answer`, { accept: false, granted_scopes: [] });
  },
  "POST /pairings/:id/answer PAIRING_CLOSED": async () =>
    asPerson("POST", `${await answered()}/answer`, { accept: true, granted_scopes: [] }),
  "POST /pairings/:id/answer SCOPE_UNKNOWN": async () =>
    asPerson("POST", `${await pairingPath()}/answer`, { accept: true, granted_scopes: ["x:y"] }),
  "POST /agents BAD_REQUEST nothing_visible": () =>
    asPerson("POST", "/agents", pairing({ name: " " })),
  "POST /agents BAD_REQUEST webhook_url": () =>
    asPerson("POST", "/agents", pairing({ connection_mode: "webhook" })),
  "POST /agents WEBHOOK_URL_REFUSED": () =>
    asPerson("POST", "/agents", pairing({ connection_mode: "webhook", webhook_url: "x" })),
  "POST /agents MANIFEST_INVALID": () =>
    asPerson("POST", "/agents", pairing({ capability_manifest: wrong })),
  "POST /agents MANIFEST_TOO_LARGE": () =>
    asPerson("POST", "/agents", pairing({ capability_manifest: large })),
  "POST /agents OVERLOADED": () => busy(() => asPerson("POST", "/agents", pairing())),
  "PUT /agents/:id BAD_REQUEST nothing_visible": async () =>
    asPerson("PUT", ARRIVING, await arrival({ name: " " })),
  "PUT /agents/:id BAD_REQUEST identity_card": async () =>
    asPerson("PUT", "/agents/another", await arrival()),
  "PUT /agents/:id FORBIDDEN": async () => {
    const body = await arrival({ conversation_id: added.relation.conversation_id });
    return asPerson("PUT", ARRIVING, body);
  },
  "PUT /agents/:id MANIFEST_INVALID": async () =>
    asPerson("PUT", ARRIVING, await arrival({ capability_manifest: wrong })),
  "PUT /agents/:id MANIFEST_TOO_LARGE": async () =>
    asPerson("PUT", ARRIVING, await arrival({ capability_manifest: large })),
  "PUT /agents/:id OVERLOADED": () => busy(async () => asPerson("PUT", ARRIVING, await arrival())),
  "GET /agents/:id NOT_FOUND": () => rig.rest("GET", "/agents/none"),
  "PATCH /agents/:id BAD_REQUEST body_schema": () =>
    asPerson("PATCH", `/agents/${added.agentId}`, { connection_mode: "post" }),
  "PATCH /agents/:id BAD_REQUEST webhook_url": () =>
    asAgent("PATCH", `/agents/${added.agentId}`, { connection_mode: "webhook" }),
  "PATCH /agents/:id NOT_FOUND": () => asPerson("PATCH", "/agents/none", {}),
  "PATCH /agents/:id FORBIDDEN": () => asAda("PATCH", `/agents/${added.agentId}`, sampleManifest()),
  "PATCH /agents/:id WEBHOOK_URL_REFUSED": () =>
    asAgent("PATCH", `/agents/${added.agentId}`, { connection_mode: "webhook", webhook_url: "x" }),
  "PATCH /agents/:id MANIFEST_INVALID": () =>
    rig.rest("PATCH", `/agents/${added.agentId}`, { token: added.token, body: "{" }),
  "PATCH /agents/:id MANIFEST_TOO_LARGE": () => asAgent("PATCH", `/agents/${added.agentId}`, large),
  "PATCH /agents/:id OVERLOADED": () =>
    busy(({ agentId, token }) =>
      rig.rest("PATCH", `/agents/${agentId}`, { token, body: sampleManifest() }),
    ),
  "POST /agents/:id/manifest-preview NOT_FOUND": () =>
    asPerson("POST", "/agents/none/manifest-preview", update(sampleManifest())),
  "POST /agents/:id/manifest-preview FORBIDDEN": () =>
    asAda("POST", `/agents/${added.agentId}/manifest-preview`, update(sampleManifest())),
  "POST /agents/:id/manifest-preview MANIFEST_INVALID": () =>
    asPerson("POST", `/agents/${added.agentId}/manifest-preview`, update(wrong)),
  "POST /agents/:id/manifest-preview MANIFEST_TOO_LARGE": () =>
    asPerson("POST", `/agents/${added.agentId}/manifest-preview`, update(large)),
  "POST /agents/:id/manifest-preview OVERLOADED": () =>
    busy((agent) =>
      asPerson("POST", `/agents/${agent.agentId}/manifest-preview`, update(sampleManifest())),
    ),
  "POST /h2a/relations NOT_FOUND": () =>
    asPerson("POST", "/h2a/relations", { agent_id: "none", granted_scopes: [] }),
  "POST /h2a/relations MANIFEST_CHANGED": () =>
    asPerson("POST", "/h2a/relations", {
      agent_id: added.agentId,
      granted_scopes: [],
      capability_manifest_version: 9,
    }),
  "POST /h2a/relations SCOPE_UNKNOWN": () =>
    asPerson("POST", "/h2a/relations", { agent_id: added.agentId, granted_scopes: ["x:y"] }),
  "PATCH /h2a/relations/:id BAD_REQUEST capability_manifest_version": () =>
    asPerson("PATCH", relation(), { granted_scopes: [], capability_manifest_version: 9 }),
  "PATCH /h2a/relations/:id NOT_FOUND": async () =>
    asPerson("PATCH", await revoked(), { granted_scopes: [] }),
  "PATCH /h2a/relations/:id SCOPE_UNKNOWN": () =>
    asPerson("PATCH", relation(), { granted_scopes: ["x:y"] }),
  "POST /h2a/relations/:id/suspend NOT_FOUND": async () =>
    asPerson("POST", `${await revoked()}/suspend`),
  "POST /h2a/relations/:id/restore NOT_FOUND": async () =>
    asPerson("POST", `${await revoked()}/restore`),
  "DELETE /h2a/relations/:id NOT_FOUND": () => asPerson("DELETE", "/h2a/relations/none"),
  "PUT /keys/mine BAD_REQUEST identity_card": async () =>
    asAgent("PUT", "/keys/mine", { ...(await published()), identity_card: "AAAA" }),
  "PUT /keys/mine BAD_REQUEST prekeys": async () =>
    asAgent("PUT", "/keys/mine", { ...(await published()), signed_prekey: "AAAA" }),
  "PUT /keys/mine FORBIDDEN": async () => asAgent("PUT", "/keys/mine", await published("somebody")),
  "PUT /keys/mine RATE_LIMITED": () =>
    often(LIMITS.keyChangesPerHour + 2, async () =>
      asAgent("PUT", "/keys/mine", await published()),
    ),
  "GET /keys/mine NOT_FOUND": () => asAgent("GET", "/keys/mine"),
  "GET /keys/:owner_id NOT_FOUND": () => asAgent("GET", "/keys/none"),
  "GET /keys/:owner_id RATE_LIMITED": () =>
    often(LIMITS.keysAskedPerMinute + 1, () => asAgent("GET", "/keys/none")),
  "POST /keys/:owner_id/bundle NOT_FOUND": () => asAgent("POST", "/keys/none/bundle"),
  "POST /keys/:owner_id/bundle RATE_LIMITED": () =>
    often(LIMITS.keysAskedPerMinute + 1, () => asAgent("POST", "/keys/none/bundle")),
  "GET /h2a/relations/:id/ledger BAD_REQUEST from": () =>
    asAgent("GET", `${relation()}/ledger?from=x`),
  "GET /h2a/relations/:id/ledger NOT_FOUND": () => asAgent("GET", "/h2a/relations/none/ledger"),
  "POST /h2a/relations/:id/ledger BAD_REQUEST entry": () =>
    asPerson("POST", `${relation()}/ledger`, { index: 0, entry: "AAAAA" }),
  "POST /h2a/relations/:id/ledger NOT_FOUND": () =>
    asPerson("POST", "/h2a/relations/none/ledger", { index: 0, entry: "AAAA" }),
  "POST /h2a/relations/:id/ledger LEDGER_CONFLICT": () =>
    asPerson("POST", `${relation()}/ledger`, { index: 1, entry: "AAAA" }),
  "POST /conversations BAD_REQUEST nothing_visible": () =>
    asPerson("POST", "/conversations", group({ title: " " })),
  "POST /conversations NOT_FOUND": () =>
    asPerson("POST", "/conversations", group({ user_ids: ["none"] })),
  "POST /conversations NOT_RELATED": async () =>
    asPerson("POST", "/conversations", group({ agent_ids: [await unrelated()] })),
  "POST /conversations GROUPS_UNSUPPORTED": async () =>
    asPerson("POST", "/conversations", group({ agent_ids: [await ungroupable()] })),
  "POST /conversations TOO_MANY_GROUPS": () =>
    often(33, () => asAgent("POST", "/conversations", group())),
  "GET /conversations/:id NOT_FOUND": () => asPerson("GET", "/conversations/none"),
  "PATCH /conversations/:id BAD_REQUEST nothing_visible": () =>
    asPerson("PATCH", talk(), { title: " " }),
  "PATCH /conversations/:id NOT_FOUND": () =>
    asPerson("PATCH", "/conversations/none", { title: "A" }),
  "PATCH /conversations/:id NOT_A_GROUP": () => asPerson("PATCH", talk(), { title: "A" }),
  "POST /conversations/:id/members NOT_FOUND -": () =>
    asPerson("POST", "/conversations/none/members", {}),
  "POST /conversations/:id/members NOT_A_GROUP": () => asPerson("POST", `${talk()}/members`, {}),
  "POST /conversations/:id/members NOT_FOUND": async () =>
    asPerson("POST", `${await made()}/members`, { user_ids: ["none"] }),
  "POST /conversations/:id/members NOT_RELATED": async () =>
    asPerson("POST", `${await made()}/members`, { agent_ids: [await unrelated()] }),
  "POST /conversations/:id/members GROUPS_UNSUPPORTED": async () =>
    asPerson("POST", `${await made()}/members`, { agent_ids: [await ungroupable()] }),
  "POST /conversations/:id/members GROUP_FULL": () =>
    crowded(async (ids) => {
      const path = await made(...ids.slice(0, 499));
      return asPerson("POST", `${path}/members`, { agent_ids: ids.slice(499) });
    }),
  "DELETE /conversations/:id/members/:member_id NOT_FOUND -": () =>
    asAgent("DELETE", `/conversations/none/members/${added.agentId}`),
  "DELETE /conversations/:id/members/:member_id NOT_A_GROUP": () =>
    asAgent("DELETE", `${talk()}/members/${added.agentId}`),
  "DELETE /conversations/:id/members/:member_id FORBIDDEN": async () =>
    asAgent("DELETE", `${await made()}/members/${rig.hub.userId}`),
  "DELETE /conversations/:id/members/:member_id NOT_FOUND": async () =>
    asPerson("DELETE", `${await made()}/members/none`),
  "POST /conversations/:id/read NOT_FOUND": () =>
    asAgent("POST", "/conversations/none/read", { seq: 1 }),
  "POST /conversations/:id/messages NOT_A_MEMBER": () =>
    asAgent("POST", "/conversations/none/messages", message),
  "POST /conversations/:id/messages VOICE_UNSUPPORTED": () => {
    const voice = { ...message, content_type: "artifact", msg_subtype: "voice" };
    return asAgent("POST", `${talk()}/messages`, voice);
  },
  "POST /conversations/:id/messages RATE_LIMITED": () => {
    let nth = 0;
    return often(LIMITS.toolCallsPerMinute + 1, () =>
      asAgent("POST", `${talk()}/messages`, { ...call, client_message_id: `${nth++}` }),
    );
  },
  "POST /conversations/:id/messages RECIPIENT_QUEUE_FULL": () => {
    let nth = 0;
    return often(UNDELIVERED_AT_MOST + 1, () =>
      asAgent("POST", `${talk()}/messages`, { ...message, client_message_id: `${nth++}` }),
    );
  },
  "POST /conversations/:id/messages HISTORY_FULL": async () => {
    const human = await rig.human();
    human.send({ type: "history.full", agent_id: added.agentId, full: true });
    await human.settled();
    return asAgent("POST", `${talk()}/messages`, message);
  },
};

describe("an endpoint refuses", () => {
  it.each(Object.entries(PROVOKED))("%s", async (name, provoke) => {
    const [, , code = "", fault] = name.split(" ");
    const { status, json } = await provoke();
    expect([status, json.error?.code]).toEqual([HUB_ERRORS[code as HubErrorCode], code]);
    if (fault !== undefined) expect(json.error.params.fault ?? "-").toBe(fault);
  });

  const faults = Object.keys(PROVOKED)
    .map((name) => name.split(" "))
    .filter(([, , code]) => code === "BAD_REQUEST");
  it.each(faults)("%s %s %s, and names its fault %s", (method, path, _code, fault) => {
    const route = routes.find((each) => each.method === method && each.path === path);
    // What a body of another form is called is said once, for all endpoints.
    const told = route === undefined ? "" : `${refusalsOf(route).BAD_REQUEST} \`body_schema\``;
    expect(told).toContain(`\`${fault}\``);
  });

  it("with these codes, and each is provoked here", () => {
    const provoked = Object.keys(PROVOKED).map((name) => name.split(" ").slice(0, 3).join(" "));
    const listed = routes.flatMap((route) =>
      Object.keys(refusalsOf(route))
        .filter((code) => !["AGENT_REMOVED", "BAD_REQUEST"].includes(code))
        // A missing token is tried at every endpoint; at this one it is the proof.
        .filter((code) => code !== "UNAUTHENTICATED" || route.auth === "none")
        .map((code) => `${route.method} ${route.path} ${code}`),
    );
    const others = provoked.filter((name) => !name.endsWith("BAD_REQUEST"));
    expect(new Set(others)).toEqual(new Set(listed));
  });
});
