import { randomBytes } from "node:crypto";
import { toBase64 } from "../../app/contract/base64.ts";
import { createIdentity, encodeCard } from "../../app/encryption/identity/identity.ts";
import { signInStatement } from "../../app/encryption/identity/sign-in.ts";
import { drainWindowMs } from "../../hub/alone/run-hub.ts";
import { natsWakes } from "../../hub/nats/nats-wakes.ts";
import { openPostgres } from "../../hub/postgres/open-postgres.ts";
import { startHub } from "../../hub/start-hub.ts";
import { nodePrimitives } from "../../runtime/crypto/node-primitives.ts";
import { NO_LIMITS } from "../no-limits.ts";
import type { FleetPerson, NodeOrder } from "./fleet-plan.ts";
import type { RelayAgent } from "./relay-plan.ts";

/** A hub on a file or on PostgreSQL, woken over NATS if its address is there. It ends with its parent. */
const [database = "", nats = ""] = process.argv.slice(2);
const scheduler = {
  after(ms: number, run: () => void) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
const hub = await startHub(
  {
    databasePath: database,
    port: 0,
    clock: { now: () => Date.now() },
    scheduler,
    random: (bytes) => randomBytes(bytes),
    checkSchema: async () => [],
    limits: NO_LIMITS,
    log: (event) => console.error(JSON.stringify(event)),
    ...(nats === ""
      ? {}
      : { wakes: (nodeId) => natsWakes(new URL(nats), nodeId, scheduler, () => undefined) }),
  },
  database.startsWith("postgres:") ? (asked) => openPostgres(database, asked) : undefined,
);

type Data = Readonly<Record<string, string>>;
async function post(path: string, body: object, token?: string): Promise<Data> {
  const response = await fetch(`${hub.url}${path}`, {
    method: "POST",
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return ((await response.json()) as { readonly data: Data }).data;
}

const capability_manifest = {
  schema_version: "1.0",
  agent_version: "1.0.0",
  tools: [],
  permission_scopes: [],
  capability_flags: {},
};

/** Invited, and let in by a key. */
async function person(name: string, agentsEach: number): Promise<FleetPerson> {
  const owner = await hub.issueAccessToken();
  const { invitation = "" } = await post("/people/invitations", { name, role: "member" }, owner);
  const { challenge = "" } = await post("/auth/challenge", {});
  const identity = createIdentity(nodePrimitives, name);
  const statement = signInStatement({ hub: hub.url, challenge });
  const { access_token: token = "" } = await post("/auth/token", {
    challenge,
    invitation,
    identity_card: toBase64(encodeCard(identity.card)),
    signature: toBase64(nodePrimitives.ed25519Sign(identity.signing.privateKey, statement)),
  });
  const agents: RelayAgent[] = [];
  for (let at = 0; at < agentsEach; at += 1) {
    const made = await post("/agents", { name: `Agent ${at}`, capability_manifest }, token);
    const { agent_id = "", token: own = "" } = made;
    const added = await post("/h2a/relations", { agent_id, granted_scopes: [] }, token);
    agents.push({ agent_id, token: own, conversation_id: added.conversation_id ?? "" });
  }
  return { token, agents };
}

async function answer(order: NodeOrder): Promise<unknown> {
  switch (order.ask) {
    case "people": {
      const people: FleetPerson[] = [];
      for (let at = 0; at < order.count; at += 1) {
        people.push(await person(`person-${at}`, order.agentsEach));
      }
      return people;
    }
    case "memory":
      // Several times: objects freed by one run may have kept others alive.
      for (let run = 0; run < 4; run += 1) globalThis.gc?.();
      return process.memoryUsage().rss;
    case "drain":
      await hub.drain(drainWindowMs(hub.connections()));
      return hub.connections();
  }
}

process.on("message", (order: NodeOrder) => {
  answer(order).then(
    (answered) => process.send?.({ answer: answered }),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.once("disconnect", () => void hub.close().then(() => process.exit(0)));
process.send?.({ answer: hub.url });
