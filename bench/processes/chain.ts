// The chain of contract.md §2 by itself, in one process: `memory|durable <folder> <bytes>`; `durable` with
// `<other agents> <quiet periods>` uses the real store's agents and grants, of which there are that many. The
// log cannot be searched for what calls are about after `unsearched`.
import { join } from "node:path";
import { Create } from "typebox/value";
import { WHOLE_SCOPE } from "../../app/contract/call-subject.ts";
import { canonicalJson, digestOf, sha256Hex } from "../../app/contract/digest.ts";
import { deepFreeze, type JsonValue } from "../../app/contract/json.ts";
import { Settings } from "../../app/contract/settings.ts";
import type { ExecutionPorts } from "../../app/execution/execution-ports.ts";
import { handleCall } from "../../app/execution/handle-call.ts";
import { LiveCalls } from "../../app/execution/live-calls.ts";
import type { Arrival, CallLedger, Tool } from "../../app/execution/ports.ts";
import type { KnownAgent } from "../../app/grants/grant.ts";
import type { QuietPeriod } from "../../app/grants/quiet-period.ts";
import { announcing } from "../../main/client/agents/announcing-grants.ts";
import { AgentTable } from "../../main/storage/agent-table.ts";
import { quietPeriodTable } from "../../main/storage/grant-store.ts";
import { openStore, type Store } from "../../main/storage/index.ts";
import { storeDatabase } from "../../main/storage/store-database.ts";
import { randomBytes } from "../../runtime/crypto/node-primitives.ts";
import { openDatabase } from "../../runtime/sqlite/open-database.ts";
import { manifestOf } from "./manifest-of.ts";
import { serveTurns } from "./serve-turns.ts";

const [kind, folder = ".", bytes, others = "0", quiet = "0", search] = process.argv.slice(2);
const PATH = "/home/ada/notes.md";
const SCOPE = "filesystem:read";
const content = "x".repeat(Number(bytes));
const key = { agent_id: "agent-1", conversation_id: "conversation-1", scope: SCOPE };

const manifest = manifestOf({ read_file: [SCOPE, "medium"] });

// A checked manifest is a JSON value; its type merely names some of the members.
const manifest_hash = digestOf(manifest as unknown as JsonValue);

const agent: KnownAgent = {
  agent_id: key.agent_id,
  name: "Bench agent",
  channel: "hub",
  relation: { relation_id: "relation-1", conversation_id: key.conversation_id },
  manifest,
  manifest_version: 1,
  manifest_hash,
  reviewed_hash: manifest_hash,
  reviewed_manifest: manifest,
  grants: new Map([[SCOPE, { scope: SCOPE, state: "granted", changed_at: 0 }]]),
  roots: [{ root_id: "root-1", path: "/home/ada", access: "read", added_at: 0 }],
  hosts: [],
  added_at: 0,
};

const tool: Tool = {
  available: () => true,
  preflight: () => null,
  run: async () => ({ content, encoding: "utf-8", offset: 0, length: content.length }),
};

/** Keeps only the newest answers, so that a long run measures the chain and not a growing heap. */
function memoryLedger(): CallLedger {
  const past = new Map<string, { tool_name: string; arguments_digest: string }>();
  return {
    canRecord: () => true,
    find: (agentId, callId) => past.get(`${agentId} ${callId}`),
    pastResponse: () => undefined,
    async recordIntent(intent) {
      past.set(`${intent.agent_id} ${intent.call_id}`, intent);
    },
    async recordOutcome() {
      if (past.size > 10_000) past.clear();
    },
  };
}

function realStore(): Store {
  const { store } = openStore({
    dataDir: join(folder, "chain"),
    wallClock: { now: () => Date.now() },
    monotonic: { now: () => performance.now() },
    random: randomBytes,
    readerWorker: new URL("../../main/storage/activity/reader-worker.ts", import.meta.url),
  });
  if (search !== "unsearched") store.keepSubjects(randomBytes(32));
  return store;
}

const period: QuietPeriod = {
  ...key,
  subject: WHOLE_SCOPE,
  manifest_hash: agent.manifest_hash,
  opened_at: Date.now(),
  last_used_at: Date.now(),
  made_on: null,
};

/** Into the tables, before anything is opened on them: one by one it would take minutes. */
function fill(): void {
  const { db } = openDatabase(storeDatabase(join(folder, "chain"), Date.now()));
  const [agents, periods] = [new AgentTable(db), quietPeriodTable(db)];
  const known = Number(others) + 1;
  db.transaction(() => {
    agents.replace(agent);
    for (let at = 1; at < known; at += 1) agents.replace({ ...agent, ...otherAgent(at) });
    periods.put(period);
    for (let at = 1; at <= Number(quiet); at += 1) periods.put(otherPeriod(at, known));
  })();
  db.close();
}

const otherAgent = (at: number) => ({
  agent_id: `other-${at}`,
  name: `Other ${at}`,
  relation: { relation_id: `other-${at}`, conversation_id: `other-${at}` },
});

/** A tenth of this agent's, the others of all agents; each in a conversation of its own. */
const otherPeriod = (at: number, known: number): QuietPeriod => ({
  ...period,
  agent_id: at % 10 === 0 || at % known === 0 ? agent.agent_id : `other-${at % known}`,
  conversation_id: `conversation-of-before-${at}`,
});

if (kind === "durable") fill();
const store = kind === "durable" ? realStore() : null;
const settings = Create(Settings);
const nobody = () => Promise.reject(new Error("nobody is asked here"));
const nothing = () => {};
const ports: ExecutionPorts = {
  agents: {
    agent: (id) => {
      const known = store === null ? agent : store.agents.agent(id);
      return known && { ...known, key_mark: { kind: "unknown" }, withheld: null };
    },
    ready: async () => {},
    isGone: () => false,
  },
  pause: { isOn: () => false },
  settings: { current: () => settings },
  grants:
    store === null
      ? {
          quietPeriods: () => [period],
          startQuietPeriod: nobody,
          endQuietPeriod: nobody,
          touchQuietPeriod: nothing,
          rules: () => [],
          countUse: nothing,
          addRule: nobody,
          addRoot: nobody,
          addHost: nobody,
        }
      : announcing(store, nothing, nothing),
  validator: { validate: async () => ({ kind: "valid" }) },
  tools: { tool: () => tool },
  consent: { reserve: () => null, reconsider: nothing, wantNoRoot: nothing },
  ledger: store?.ledger ?? memoryLedger(),
  clock: { now: () => Date.now() },
  scheduler: {
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  },
  live: new LiveCalls(),
};

let calls = 0;
function nextCall(): Arrival {
  calls += 1;
  const args = { path: PATH };
  const canonical_arguments = canonicalJson(args);
  const call = deepFreeze({
    call_id: `call-${calls}`,
    tool_name: "read_file",
    arguments: args,
    canonical_arguments,
    arguments_digest: sha256Hex(canonical_arguments),
    permission_scope: SCOPE,
  });
  return {
    decoded: { kind: "call", call },
    agent_id: key.agent_id,
    conversation_id: key.conversation_id,
    conversation_type: "h2a",
    transport: agent.channel,
  };
}

serveTurns(
  async () => {
    const response = await handleCall(ports, nextCall());
    if (response?.status !== "ok") throw new Error("the chain refused the call");
  },
  async () => store?.close(),
);
