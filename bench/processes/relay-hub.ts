import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { startHub } from "../../hub/index.ts";
import { NO_LIMITS } from "../no-limits.ts";
import type { RelayAgent } from "./relay-plan.ts";
import { serveRelay } from "./serve-relay.ts";

/**
 * The hub on a database file, with agents that the person added: either `count` new ones, or those
 * that an earlier process left in a file, so that the memory for adding them is not counted here.
 */
const [databasePath = "", count = "1", known = null] = process.argv.slice(2);
const hub = await startHub({
  databasePath,
  port: 0,
  clock: { now: () => Date.now() },
  scheduler: {
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  },
  random: (bytes) => randomBytes(bytes),
  checkSchema: async () => [],
  limits: NO_LIMITS,
});
const personToken = await hub.issueAccessToken();

async function post(path: string, body: object): Promise<Readonly<Record<string, string>>> {
  const response = await fetch(`${hub.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${personToken}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  const { data } = (await response.json()) as { readonly data: Readonly<Record<string, string>> };
  return data;
}

const capability_manifest = {
  schema_version: "1.0",
  agent_version: "1.0.0",
  tools: [],
  permission_scopes: [],
  capability_flags: {},
};

async function addAgent(at: number): Promise<RelayAgent> {
  const { agent_id = "", token = "" } = await post("/agents", {
    name: `Agent ${at}`,
    capability_manifest,
  });
  const { conversation_id = "" } = await post("/h2a/relations", { agent_id, granted_scopes: [] });
  return { agent_id, token, conversation_id };
}

const agents: RelayAgent[] = known === null ? [] : JSON.parse(readFileSync(known, "utf8")).agents;
for (let at = agents.length; at < Number(count); at += 1) agents.push(await addAgent(at));
serveRelay({ url: hub.url.replace("http", "ws"), personToken, agents }, () => hub.close());
