import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { onTestFinished } from "vitest";
import type { AgentDetails, PairingView } from "../../../app/bridge/agent-views.ts";
import { CALLS, type CallArgs, type CallName, type CallResult } from "../../../app/bridge/calls.ts";
import type { ConsentCard } from "../../../app/bridge/consent-views.ts";
import type { ActivityRow, Snapshot } from "../../../app/bridge/views.ts";
import { runsUnconfined } from "../../../app/contract/consent-preview.ts";
import type { Answer } from "../../../app/contract/consent-request.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import type { Manifest } from "../../../app/contract/manifest.ts";
import { MemoryRecords } from "../../../app/encryption/testing/correspondents.ts";
import {
  type AgentCredentials,
  AgentError,
  HasheeAgent,
  type SafetyNumber,
} from "../../../sdk/index.ts";
import { PROGRAMS } from "../../testing/built-programs.ts";
import type { ClientProgram, HostParts } from "../host-port.ts";
import { askInstance, OWNER_TOKEN } from "../launch/instance-lock.ts";
import { type Launched, launch } from "../launch/launch.ts";
import type { LaunchOptions } from "../launch/launch-options.ts";
import type { HubLink } from "../program-parts.ts";
import { eventually } from "./eventually.ts";
import { HubOutside } from "./hub-outside.ts";
import { JumpingTime } from "./jumping-time.ts";
import { MemoryHost } from "./memory-host.ts";
import { fastClock, TestAgent } from "./test-agent.ts";
import { ALL_SCOPES, MANIFEST } from "./test-manifest.ts";

/** On a slow machine the hub's answer can be late: the number of retries. */
const SLOW_HUB_RETRIES = 5;

const ALL_CALLS = Object.keys(CALLS) as CallName[];

/** Tests see what the client itself does with too many calls. */
const ALL_AT_ONCE = Number.POSITIVE_INFINITY;

/**
 * The real client on a real data folder, with a host in memory and time that jumps; and the person,
 * who uses the bridge as a renderer would.
 */
export class LaunchedClient {
  readonly #folder = mkdtempSync(join(tmpdir(), "consentry-client-"));
  readonly dataDir = join(this.#folder, "data");
  /** Outside the data folder, as the system's folder for settings is. */
  readonly anchors = join(this.#folder, "config", "anchors");
  /** Where programs on this computer keep their tokens. */
  readonly tokens = join(this.#folder, "clients", "consentry-clients");
  readonly time = new JumpingTime();
  readonly host = new MemoryHost();
  readonly platform = this.host.platform;
  readonly stdout: string[] = [];
  readonly stderr: string[] = [];
  readonly #agents: TestAgent[] = [];
  /** By agent id. Without them tests' agents would store their keys in the home folder. */
  readonly keyStores = new Map<string, MemoryRecords>();
  /** The real one, for tests that wait for no back-off: its limits allow for a slow machine. */
  agentClock = fastClock;
  sendLimits: NonNullable<LaunchOptions["sendLimits"]> = {};
  /** Besides the hub's. */
  channels: NonNullable<LaunchOptions["channels"]> = [];
  /** What the host has besides: updates of the program, for example. */
  hostParts: Pick<HostParts, "updates" | "startGuard" | "keyVault"> = {};
  /** The person starts it with `--policy`; by an administrator there is none. */
  policyFile: string | undefined;
  /** The person starts it with `--hub`. */
  hubElsewhere: HubLink | undefined;
  /** The person starts it with `--new-keys`. */
  newKeys = false;
  #launched: Launched | undefined;
  #port = 0;
  /** As the last start told it. */
  #hubUrl = "";
  #hasAnother = false;

  /** In a test or a `beforeEach`; ended when the test has finished. */
  static async start(): Promise<LaunchedClient> {
    const client = new LaunchedClient();
    onTestFinished(() => client.end());
    await client.launch();
    return client;
  }

  /** As `start`, and the person uses another client too, which reaches the same hub. */
  static async startWithAnother(): Promise<LaunchedClient> {
    const client = new LaunchedClient();
    onTestFinished(() => client.end());
    await client.launch();
    client.#hasAnother = true;
    return client;
  }

  /** Can be repeated, on the same folder and the hub port that agents know. */
  async launch(): Promise<void> {
    this.#launched = await launch(this.#options(), this.host.parts(this.hostParts));
    const { hub }: { readonly hub: string } = JSON.parse(this.stdout.at(-1) ?? "");
    this.hubIsAt(hub);
  }

  /** A second instance, as a person starts who clicks twice. */
  async launchSecond(): Promise<void> {
    await (await launch(this.#options(), this.host.parts(this.hostParts))).close();
  }

  async close(): Promise<void> {
    await this.#launched?.close();
    this.#launched = undefined;
  }

  async restart(between: () => unknown = () => {}): Promise<void> {
    await this.close();
    await between();
    await this.launch();
  }

  async end(): Promise<void> {
    for (const agent of this.#agents) agent.sdk.disconnect();
    await this.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Reads one of its databases, or changes it without its knowledge. */
  inDatabase<T>(work: (db: Database.Database) => T, name = "consentry.db"): T {
    // A hub that is in the middle of a transaction can only end it when this thread lets it.
    const db = new Database(join(this.dataDir, name), { timeout: 100 });
    try {
      return work(db);
    } finally {
      db.close();
    }
  }

  sql(text: string, name?: string): void {
    this.inDatabase((db) => db.exec(text), name);
  }

  get program(): ClientProgram {
    return this.host.program;
  }

  get hubUrl(): string {
    return this.#hubUrl;
  }

  /** Adds agents at this hub, when another process runs the client on the data folder. */
  hubIsAt(url: string): void {
    this.#hubUrl = url;
    this.#port = Number(new URL(url).port);
  }

  get hub(): HubOutside {
    const ownerToken = () => askInstance(this.dataDir, OWNER_TOKEN);
    return new HubOutside(this.hubUrl, this.#hasAnother ? ownerToken : undefined);
  }

  /** @throws the bridge's code, as an Error */
  async call<C extends CallName>(name: C, args: CallArgs<C>): Promise<CallResult<C>> {
    const incoming = { name, args, senderAllowed: true, allowed: ALL_CALLS };
    const reply = await this.program.answer(incoming);
    if (!reply.ok) throw new Error(reply.code);
    // The handler of this very name made it.
    return reply.result as CallResult<C>;
  }

  snapshot = (): Promise<Snapshot> => this.call("app.snapshot", {});

  async card(agent: TestAgent): Promise<AgentDetails> {
    const found = (await this.snapshot()).agents.find(({ agent_id }) => agent_id === agent.id);
    if (found === undefined) throw new Error("the client does not know the agent");
    return found;
  }

  /** The person's decision about each scope. */
  async grants(agent: TestAgent): Promise<Record<string, string>> {
    const { grants } = await this.card(agent);
    return Object.fromEntries(grants.map(({ scope, state }) => [scope.id, state]));
  }

  /** The person answers the agent's card as it is now. */
  async setScopes(agent: TestAgent, scopes: readonly string[]): Promise<void> {
    const { agent_id, manifest_version } = await this.card(agent);
    const granted_scopes = [...scopes];
    await this.call("agents.set_scopes", { agent_id, manifest_version, granted_scopes });
  }

  /** Adds an agent with these scopes. */
  async addAgent(
    scopes: readonly string[] = ALL_SCOPES,
    name = "Test agent",
    manifest: Manifest = MANIFEST,
  ): Promise<TestAgent> {
    for (let left = SLOW_HUB_RETRIES; ; left -= 1) {
      const pairing = this.pair(name, manifest);
      try {
        await this.acceptPairing(await pairing.code, scopes);
        return await pairing.agent;
      } catch (error) {
        const isSlow = error instanceof AgentError && error.code === "hub_unreachable";
        if (!isSlow || left === 0) throw error;
      }
    }
  }

  pair(name: string, manifest: Manifest = MANIFEST) {
    const code = Promise.withResolvers<string>();
    const safety = Promise.withResolvers<SafetyNumber>();
    const keyStore = new MemoryRecords();
    const agent = HasheeAgent.pair({
      name,
      manifest,
      baseUrl: this.hubUrl,
      ...this.#asked,
      onCode: code.resolve,
      onSafetyNumber: safety.resolve,
      clock: this.agentClock,
      callsAtOnce: ALL_AT_ONCE,
      keyStore,
    }).then(({ agent: sdk, credentials }) => {
      this.keyStores.set(credentials.agentId, keyStore);
      return this.#keep(sdk, credentials);
    });
    agent.catch((error: unknown) => {
      code.reject(error);
      safety.reject(error);
    });
    code.promise.catch(() => {});
    safety.promise.catch(() => {});
    return { code: code.promise, safety: safety.promise, agent };
  }

  /** At a hub elsewhere, whom agents ask, as the start told it. */
  get #asked(): { readonly userId?: string } {
    const [, userId] = /ask for you there as (\S+)/.exec(this.stderr.join("\n")) ?? [];
    return userId === undefined ? {} : { userId };
  }

  /** The same agent in a new process. */
  async returning({ credentials, sdk: before }: TestAgent): Promise<TestAgent> {
    // Two processes with the same keys are not one agent.
    before.disconnect();
    const baseUrl = this.hubUrl;
    const keyStore = this.keyStores.get(credentials.agentId) ?? new MemoryRecords();
    const sdk = await HasheeAgent.init({
      ...credentials,
      keyStore,
      manifest: MANIFEST,
      baseUrl,
      clock: this.agentClock,
      callsAtOnce: ALL_AT_ONCE,
    });
    return this.#keep(sdk, credentials);
  }

  /** An agent whose developer was given these, in its own process. */
  async arriving(agentId: string, token: string, conversationId: string): Promise<TestAgent> {
    const keyStore = new MemoryRecords();
    this.keyStores.set(agentId, keyStore);
    const { agentClock: clock, hubUrl: baseUrl } = this;
    const at = { baseUrl, clock, callsAtOnce: ALL_AT_ONCE };
    const init = { agentId, token, keyStore, manifest: MANIFEST, ...at };
    const sdk = await HasheeAgent.init(init);
    return this.#keep(sdk, { agentId, token, conversationId, userId: "", grantedScopes: [] });
  }

  /** The pairing as the person sees it. */
  shownPairing(code: string): Promise<PairingView> {
    return eventually(async () => {
      const { pairings } = await this.snapshot();
      return pairings.find((each) => each.code === code);
    });
  }

  async acceptPairing(code: string, scopes: readonly string[]): Promise<void> {
    const { pairing_id } = await this.shownPairing(code);
    const granted_scopes = [...scopes];
    const hook_way = "check_everything";
    await this.call("pairing.answer", { pairing_id, accept: true, granted_scopes, hook_way });
  }

  /** The cards once there are this many. */
  async cards(count: number): Promise<readonly ConsentCard[]> {
    return await eventually(async () => {
      const { consents } = await this.snapshot();
      return consents.length === count ? consents : undefined;
    });
  }

  /** The one card that waits. */
  async waitingCard(): Promise<ConsentCard> {
    const [card] = await this.cards(1);
    if (card === undefined) throw new Error("no card waits");
    return card;
  }

  /** Waits long enough at the one waiting card, and answers. */
  async answer(
    answer: Answer,
    root_path?: string,
    rule?: CallArgs<"consent.answer">["rule"],
  ): Promise<void> {
    const { request_id, preview } = await this.waitingCard();
    await this.call("consent.opened", { request_id });
    await this.call("consent.read", { request_id });
    if (runsUnconfined(preview)) {
      await this.call("consent.held", { request_id, held: true });
      this.time.jump(LIMITS.holdToAllowMs);
    }
    this.time.jump(500);
    await this.call("consent.answer", {
      request_id,
      answer,
      ...(root_path === undefined ? {} : { root_path }),
      ...(rule === undefined ? {} : { rule }),
    });
  }

  /** The outcome of a call that the person is asked about and answers. */
  async answered<T>(call: Promise<T>, ...answer: Parameters<LaunchedClient["answer"]>): Promise<T> {
    await this.answer(...answer);
    return await call;
  }

  /** The person makes a group with these agents. @returns its conversation */
  async newGroup(...agents: readonly (TestAgent | string)[]): Promise<string> {
    const agent_ids = agents.map((agent) => (typeof agent === "string" ? agent : agent.id));
    return (await this.call("groups.create", { title: null, agent_ids })).conversation_id;
  }

  /** The log, newest first. */
  async log(): Promise<readonly ActivityRow[]> {
    return (await this.call("activity.page", { limit: 200 })).rows;
  }

  /**
   * Waits until the client and the agents have reconnected to the hub. Time must not jump meanwhile:
   * the hub allows 5 s for authentication.
   */
  async reconnected(): Promise<void> {
    await eventually(async () => {
      const { hub, agents } = await this.snapshot();
      return hub.connected && agents.every(({ online }) => online) ? true : undefined;
    });
  }

  #keep(sdk: HasheeAgent, credentials: AgentCredentials): TestAgent {
    const agent = new TestAgent(sdk, credentials);
    this.#agents.push(agent);
    return agent;
  }

  #options(): LaunchOptions {
    const { dataDir, time } = this;
    const flags = { host: null, port: 0, hubPort: this.#port, dataDir, lang: null, open: false };
    return {
      flags: {
        ...flags,
        ...(this.newKeys ? { newKeys: true as const } : {}),
        ...(this.policyFile === undefined ? {} : { policyFile: this.policyFile }),
        ...(this.hubElsewhere === undefined ? {} : { hub: this.hubElsewhere }),
      },
      systemPolicy: join(this.#folder, "no-policy.json"),
      time,
      programs: PROGRAMS,
      sendLimits: this.sendLimits,
      channels: this.channels,
      anchorFolder: this.anchors,
      tokenFolder: this.tokens,
      quit: () => void this.close(),
      stdout: (line) => this.stdout.push(line),
      stderr: (line) => this.stderr.push(line),
    };
  }
}
