import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkManifest } from "../../../app/contract/check-manifest.ts";
import type { JsonValue } from "../../../app/contract/json.ts";
import type { Manifest } from "../../../app/contract/manifest.ts";
import type { BreakingChange } from "../../../app/protocol/v1/breaking-change.ts";
import type { AgentView, RelationView } from "../../../app/protocol/v1/rest.ts";
import { hubRestError } from "../../channels/hub-rest.ts";
import { openStore, type Store } from "../../storage/index.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { BreakingMarks } from "../agents/breaking-marks.ts";
import { systemTime } from "../launch/system-time.ts";
import { ProgramEvents } from "../program-events.ts";
import { ALL_SCOPES, MANIFEST, NEXT_MANIFEST } from "../testing/test-manifest.ts";
import { AgentStates } from "./presence.ts";
import { RelationSync, type RelationSyncPorts } from "./relation-sync.ts";

function viewOf(agent_id: string, version: number, manifest: Manifest): AgentView {
  const verdict = checkManifest(manifest as unknown as JsonValue, 1);
  if (!verdict.ok) throw new Error("the test's manifest is none");
  return {
    agent_id,
    name: agent_id,
    connection_mode: "websocket",
    capability_manifest: manifest,
    capability_manifest_version: version,
    capability_manifest_hash: verdict.hash,
  };
}

const relationOf = (agent_id: string, granted_scopes: readonly string[]): RelationView => ({
  relation_id: `relation-${agent_id}`,
  agent_id,
  user_id: "person",
  conversation_id: `talk-${agent_id}`,
  granted_scopes,
  status: "active",
  connection_mode: "websocket",
  reauth: null,
});

let dataDir: string;
let store: Store;
let sync: RelationSync;
let relations: () => Promise<readonly RelationView[]>;
let views: Map<string, AgentView>;
let told: [string, readonly string[]][];
let heard: string[];
let statuses: AgentStates;
let suspended: Set<string>;
let breaking: BreakingMarks;

beforeEach(() => {
  dataDir = scratchFolder();
  const { wall, monotonic } = systemTime();
  store = openStore({ dataDir, wallClock: wall, monotonic, random: randomBytes }).store;
  views = new Map();
  relations = async () => [];
  told = [];
  heard = [];
  statuses = new AgentStates();
  suspended = new Set();
  breaking = new BreakingMarks(store.settings);
  const rest: RelationSyncPorts["rest"] = {
    relations: () => relations(),
    async agent(agentId) {
      const view = views.get(agentId);
      if (view === undefined) throw hubRestError("NOT_FOUND");
      return view;
    },
    async setGrantedScopes(relationId, scopes) {
      told.push([relationId, scopes]);
    },
    setSuspended: async (relationId, suspended) => {
      told.push([relationId, [suspended ? "suspended" : "restored"]]);
    },
  };
  sync = new RelationSync({
    rest,
    agents: store.agents,
    clock: store.clock,
    statuses,
    suspensions: suspended,
    breaking,
    live: {
      end: ({ agent_id }, why) =>
        heard.push(`${why === "manifest_changed" ? "changed" : "ended"} ${agent_id}`),
    },
    naming: { label: (agentId) => agentId },
    notices: { about: (code, agentId) => heard.push(`${code} ${agentId}`), keep: () => {} },
    events: new ProgramEvents(),
    report: (error) =>
      heard.push(error instanceof Error && "code" in error ? `${error.code}` : "?"),
  });
});
afterEach(() => store.close());

async function adopt(agentId: string, scopes: readonly string[] = ALL_SCOPES): Promise<void> {
  const view = viewOf(agentId, 1, MANIFEST);
  views.set(agentId, view);
  await sync.adopt(relationOf(agentId, scopes), view, scopes);
}

const granted = (agentId: string) =>
  [...(store.agents.agent(agentId)?.grants.values() ?? [])]
    .filter(({ state }) => state === "granted")
    .map(({ scope }) => scope);

const LOWERED: BreakingChange = {
  pointer: "/permission_scopes/2/sensitivity",
  kind: "scope_sensitivity_lowered",
  breaking: true,
  scope: "clipboard:write",
  tool: null,
};
const noticeFor = (agent_id: string) => ({
  notice_id: "1",
  agent_id,
  new_manifest_version: 2,
  new_manifest_hash: "h",
  scopes_requiring_reauth: ["clipboard:write"],
  breaking_changes: [LOWERED],
});
const WITHOUT = ALL_SCOPES.filter((scope) => scope !== "clipboard:write");

/** Where the hub now serves the next manifest, of version 2. */
const serveNext = (agentId: string) => views.set(agentId, viewOf(agentId, 2, NEXT_MANIFEST));

async function reconcile(): Promise<void> {
  sync.reconcile();
  await sync.settled();
}

describe("the hub's list after a connect", () => {
  it("revokes nothing from an agent that was added while the list was on its way", async () => {
    const list = Promise.withResolvers<readonly RelationView[]>();
    relations = () => list.promise;
    sync.reconcile();
    await adopt("new");
    list.resolve([]);
    await sync.settled();
    expect(granted("new")).toEqual(ALL_SCOPES);
    expect(heard).toEqual([]);
  });

  it("leaves the new grants of an agent that is still being stored", async () => {
    relations = async () => [relationOf("new", ALL_SCOPES)];
    sync.reconcile();
    await adopt("new");
    await sync.settled();
    expect(granted("new")).toEqual(ALL_SCOPES);
  });

  it("ends an agent that is not in it", async () => {
    await adopt("forgotten");
    await reconcile();
    expect(granted("forgotten")).toEqual([]);
    expect(heard).toEqual(["agents_lost forgotten", "ended forgotten"]);
  });

  it("grants nothing: if it has more scopes than are granted here, the hub is told", async () => {
    await adopt("one", ["notification:send"]);
    relations = async () => [relationOf("one", ALL_SCOPES)];
    await reconcile();
    expect(granted("one")).toEqual(["notification:send"]);
    expect(told).toEqual([["relation-one", ["notification:send"]]]);
  });

  it("keeps a folder that lasts, also when an agent is added again while it is open wider for a task", async () => {
    await adopt("one");
    const path = "/home/me/notes";
    await store.agents.addRoot("one", { path, access: "read" });
    await store.agents.addRoot("one", { path, access: "read_write", for_task: true });
    await adopt("one");
    await store.agents.endTasksOf("one");
    expect(store.agents.agent("one")?.roots).toMatchObject([{ path, access: "read" }]);
  });

  it("is told again that an agent is suspended, if it could not be told then", async () => {
    await adopt("one");
    await adopt("other");
    suspended.add("one");
    relations = async () => [relationOf("one", ALL_SCOPES), relationOf("other", ALL_SCOPES)];
    await reconcile();
    expect(told).toEqual([["relation-one", ["suspended"]]]);
  });

  it("is handled for the other agents when it fails for one", async () => {
    await adopt("broken");
    await adopt("whole");
    views.delete("broken");
    serveNext("whole");
    relations = async () => [relationOf("broken", []), relationOf("whole", ALL_SCOPES)];
    await reconcile();
    expect(store.agents.agent("whole")?.manifest.agent_version).toBe("1.0.1");
    expect(heard.toSorted()).toEqual(["NOT_FOUND", "changed whole"]);
  });

  it("changes nothing when it cannot be fetched", async () => {
    await adopt("one");
    relations = () => Promise.reject(hubRestError("hub_unreachable"));
    await reconcile();
    expect(granted("one")).toEqual(ALL_SCOPES);
    expect(heard).toEqual(["hub_unreachable"]);
  });
});

describe("a manifest the hub serves", () => {
  it("is refused when it is not the one that the hub announced", async () => {
    await adopt("one");
    const { capability_manifest_hash } = viewOf("one", 1, MANIFEST);
    views.set("one", { ...viewOf("one", 2, NEXT_MANIFEST), capability_manifest_hash });
    sync.manifestChanged("one", 2);
    await sync.settledFor("one");
    expect(heard).toEqual(["manifest_rejected"]);
    expect(store.agents.agent("one")?.manifest.agent_version).toBe("1.0.0");
  });

  it("is refused when it is not a valid manifest", async () => {
    await adopt("one");
    views.set("one", { ...viewOf("one", 2, MANIFEST), capability_manifest: { tools: [] } });
    sync.manifestChanged("one", 2);
    await sync.settledFor("one");
    expect(heard).toEqual(["manifest_rejected"]);
  });

  it("is fetched for known agents only", async () => {
    sync.manifestChanged("nobody", 2);
    expect(await sync.reauthRequired(noticeFor("nobody"))).toBe(true);
    await sync.settled();
    expect(store.agents.list()).toEqual([]);
    expect(heard).toEqual([]);
  });
});

describe("a wanted re-consent", () => {
  it("takes effect before anything else is known, even if the manifest cannot be fetched", async () => {
    await adopt("one");
    views.delete("one");
    const handled = sync.reauthRequired(noticeFor("one"));
    expect(granted("one")).toEqual(WITHOUT);
    await sync.settledFor("one");
    expect(heard).toEqual(["changed one", "NOT_FOUND"]);
    expect(await handled).toBe(false);
  });

  it("also takes back what was granted here and the hub does not name, and leaves what was not", async () => {
    await adopt("one");
    await store.agents.setGrants("one", [{ scope: "clipboard:write", state: "revoked" }]);
    serveNext("one");
    const unnamed = { ...noticeFor("one"), scopes_requiring_reauth: [] };
    await sync.reauthRequired(unnamed);
    const stateOf = (scope: string) => store.agents.agent("one")?.grants.get(scope)?.state;
    expect(stateOf("clipboard:write")).toBe("revoked");
    await store.agents.setGrants("one", [{ scope: "clipboard:write", state: "granted" }]);
    await sync.reauthRequired({ ...unnamed, new_manifest_hash: "another" });
    expect(stateOf("clipboard:write")).toBe("awaiting_reconsent");
  });

  it("is acknowledged once the scopes and the new manifest are stored", async () => {
    await adopt("one");
    serveNext("one");
    expect(await sync.reauthRequired(noticeFor("one"))).toBe(true);
    expect(store.agents.agent("one")?.manifest_version).toBe(2);
    expect(granted("one")).toEqual(WITHOUT);
    expect(breaking.of("one")).toMatchObject([{ scope: "clipboard:write", tool: null }]);
  });

  it("is not acknowledged when it cannot be stored, and takes effect again", async () => {
    await adopt("one");
    serveNext("one");
    const setGrants = vi.spyOn(store.agents, "setGrants");
    setGrants.mockRejectedValueOnce(hubRestError("store_unwritable"));
    expect(await sync.reauthRequired(noticeFor("one"))).toBe(false);
    expect(await sync.reauthRequired(noticeFor("one"))).toBe(true);
    expect(granted("one")).toEqual(WITHOUT);
  });

  it("that is repeated undoes nothing that the person has answered since", async () => {
    await adopt("one");
    serveNext("one");
    await sync.reauthRequired(noticeFor("one"));
    await store.agents.setGrants("one", [{ scope: "clipboard:write", state: "granted" }]);
    expect(await sync.reauthRequired(noticeFor("one"))).toBe(true);
    expect(granted("one")).toEqual(ALL_SCOPES);
    const other = { ...noticeFor("one"), new_manifest_hash: "another hub's" };
    await sync.reauthRequired(other);
    expect(granted("one")).toEqual(WITHOUT);
  });

  it("for an agent that is just being added waits for it, and its calls wait for the notice", async () => {
    const added = sync.while(adopt("new"));
    serveNext("new");
    const handled = sync.reauthRequired(noticeFor("new"));
    await sync.settledFor("new");
    expect(granted("new")).toEqual(WITHOUT);
    expect(await handled).toBe(true);
    await added;
  });
});

describe("the newest manifest", () => {
  it("is the last one announced, even before it is stored", async () => {
    await adopt("one");
    expect(sync.isNewest("one", 1)).toBe(true);
    sync.manifestChanged("one", 2);
    expect(sync.isNewest("one", 1)).toBe(false);
    expect(sync.isNewest("one", 2)).toBe(true);
    await sync.settled();
  });

  it("is fetched after an agent was added, if it was announced before", async () => {
    sync.manifestChanged("new", 2);
    const view = viewOf("new", 1, MANIFEST);
    serveNext("new");
    await sync.adopt(relationOf("new", ALL_SCOPES), view, ALL_SCOPES);
    await sync.settled();
    expect(store.agents.agent("new")?.manifest_version).toBe(2);
  });
});

describe("an agent's status", () => {
  it("is what the hub last said, in a frame or at a connect", async () => {
    await adopt("one");
    const payload = { ...relationOf("one", ALL_SCOPES), granted_scopes: [...ALL_SCOPES] };
    sync.relation({
      type: "relation.updated",
      payload: { ...payload, connection_mode: "webhook" },
    });
    expect(statuses.of("one")).toEqual({ relation: "active", delivery: "webhook" });
    sync.relation({ type: "relation.suspended", payload: { ...payload, status: "suspended" } });
    expect(statuses.of("one")).toEqual({ relation: "suspended", delivery: "websocket" });
    relations = async () => [{ ...payload, connection_mode: "webhook" }];
    await reconcile();
    expect(statuses.of("one")).toEqual({ relation: "active", delivery: "webhook" });
  });

  it("is what a frame said while an older answer was on its way", async () => {
    await adopt("one");
    const payload = { ...relationOf("one", ALL_SCOPES), granted_scopes: [...ALL_SCOPES] };
    let now: RelationView = { ...payload, status: "suspended" };
    const { promise: arrives, resolve: arrive } = Promise.withResolvers<void>();
    relations = async () => {
      const answer = [now];
      await arrives;
      return answer;
    };
    sync.reconcile();
    now = payload;
    sync.relation({ type: "relation.restored", payload });
    arrive();
    await sync.settled();
    expect(statuses.of("one").relation).toBe("active");
  });

  it("stays suspended when the answer that adds the agent is older than its suspension", async () => {
    const payload = { ...relationOf("one", ALL_SCOPES), granted_scopes: [...ALL_SCOPES] };
    sync.relation({ type: "relation.suspended", payload: { ...payload, status: "suspended" } });
    await adopt("one");
    expect(statuses.of("one").relation).toBe("suspended");
    sync.relation({ type: "relation.restored", payload });
    expect(statuses.of("one").relation).toBe("active");
  });
});
