import { Create } from "typebox/value";
import type { IntentRecord, OutcomeRecord } from "../../audit/audit-record.ts";
import { ConsentQueue } from "../../consent/consent-queue.ts";
import type { Answer, ConsentRequest } from "../../contract/consent-request.ts";
import { canonicalJson, digestOf } from "../../contract/digest.ts";
import { deepFreeze, type JsonObject, type JsonValue } from "../../contract/json.ts";
import type { KeyMark } from "../../contract/key-mark.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { Manifest } from "../../contract/manifest.ts";
import type { ChosenRule, Rule } from "../../contract/rule.ts";
import type { Sensitivity } from "../../contract/scopes.ts";
import { Settings } from "../../contract/settings.ts";
import { ManualTime } from "../../contract/testing/manual-time.ts";
import type { ToolCall, ToolResponse } from "../../contract/tool-call.ts";
import type { ChosenRoot, Grant, KnownAgent, Root } from "../../grants/grant.ts";
import type { QuietPeriod, QuietPeriodKey } from "../../grants/quiet-period.ts";
import type { ExecutionPorts } from "../execution-ports.ts";
import { handleCall } from "../handle-call.ts";
import { LiveCalls } from "../live-calls.ts";
import type { Arrival, Preflight, Tool, ToolContext, Withheld } from "../ports.ts";

/** The whole chain on in-memory ports, with a clock that only moves when a test says so. */
export class ChainHarness {
  readonly time = new ManualTime();
  readonly journal: string[] = [];
  readonly records: (IntentRecord | OutcomeRecord)[] = [];
  readonly ran: { tool: string; args: JsonObject; context: ToolContext }[] = [];
  readonly quietPeriods = new Map<string, QuietPeriod>();
  rules: readonly Rule[] = [];
  readonly kept = new Map<string, { call: ToolCall; response: ToolResponse }>();
  readonly open = new Map<string, ToolCall>();
  agent: KnownAgent = agentWith({});
  keyMark: KeyMark = { kind: "known", fingerprint: "5b1e 07c2 9d44 a0f3 8e61" };
  withheld: Withheld | null = null;
  ready: Promise<void> = Promise.resolve();
  gone = false;
  ledgerFails = false;
  ledgerKnownFull = false;
  grantsFail = false;
  validation: "valid" | "invalid" | "unusable" | "undecided" | "busy" = "valid";
  toolAvailable = true;
  paused = false;
  settings: Settings = Create(Settings);
  preflight: Preflight | null = null;
  /** Absent: the tool has no preview. */
  previews: NonNullable<Tool["preview"]> | null = null;
  runs: (args: JsonObject, context: ToolContext) => Promise<JsonValue> = async () => ({
    done: true,
  });
  readonly queue: ConsentQueue;
  readonly ports: ExecutionPorts;

  constructor(given: Partial<ChainHarness> = {}) {
    Object.assign(this, given);
    let ids = 0;
    this.queue = new ConsentQueue({
      now: () => this.time.now(),
      wall: () => this.time.now(),
      after: (ms, run) => this.time.after(ms, run),
      newId: () => `request-${++ids}`,
      onChange: () => {},
      onHeld: () => {},
    });
    this.ports = {
      agents: {
        agent: (id) =>
          id === this.agent.agent_id
            ? { ...this.agent, key_mark: this.keyMark, withheld: this.withheld }
            : undefined,
        ready: () => this.ready,
        isGone: () => this.gone,
      },
      pause: { isOn: () => this.paused },
      settings: { current: () => this.settings },
      grants: {
        quietPeriods: ({ agent_id, conversation_id, scope }) =>
          [...this.quietPeriods.values()].filter(
            (period) =>
              period.agent_id === agent_id &&
              period.conversation_id === conversation_id &&
              period.scope === scope,
          ),
        startQuietPeriod: async (period) => {
          if (this.grantsFail) throw new Error("store");
          this.quietPeriods.set(quietPeriodId(period), period);
        },
        endQuietPeriod: async (key) => void this.quietPeriods.delete(quietPeriodId(key)),
        touchQuietPeriod: (key, now) => {
          const period = this.quietPeriods.get(quietPeriodId(key));
          if (period) this.quietPeriods.set(quietPeriodId(key), { ...period, last_used_at: now });
        },
        rules: (agentId) => this.rules.filter(({ agent_id }) => agent_id === agentId),
        addRule: async (made) => {
          if (this.grantsFail) throw new Error("store");
          const rule_id = `rule-${this.rules.length + 1}`;
          const rule: Rule = { ...made, rule_id, last_used_at: null, uses: 0 };
          this.rules = [...this.rules, rule];
          return rule;
        },
        countUse: (ruleId, now) => {
          this.rules = this.rules.map((rule) =>
            rule.rule_id === ruleId ? { ...rule, last_used_at: now, uses: rule.uses + 1 } : rule,
          );
        },
        addRoot: async (_agentId, chosen: ChosenRoot): Promise<Root> => {
          const root = { ...chosen, root_id: "root-1", added_at: this.time.now() };
          this.agent = { ...this.agent, roots: [...this.agent.roots, root] };
          return root;
        },
        addHost: async (_agentId, host) => {
          if (this.grantsFail) throw new Error("store");
          const allowed = { ...host, added_at: this.time.now() };
          this.agent = { ...this.agent, hosts: [...this.agent.hosts, allowed] };
        },
      },
      validator: {
        validate: async () =>
          this.validation === "invalid"
            ? { kind: this.validation, violation: { pointer: "/path", keyword: "type" } }
            : { kind: this.validation },
      },
      tools: { tool: (entry) => this.#toolNamed(entry.name) },
      consent: this.queue,
      ledger: {
        find: (agentId, callId) =>
          this.kept.get(`${agentId}/${callId}`)?.call ?? this.open.get(`${agentId}/${callId}`),
        pastResponse: (agentId, call) => this.kept.get(`${agentId}/${call.call_id}`)?.response,
        canRecord: () => !this.ledgerKnownFull,
        recordIntent: async (intent) => {
          if (this.ledgerFails) throw new Error("disk");
          this.records.push(intent);
          this.journal.push(`intent ${intent.call_id}`);
        },
        recordOutcome: async (outcome, answered) => {
          if (this.ledgerFails) throw new Error("disk");
          this.records.push(outcome);
          this.journal.push(`outcome ${outcome.call_id} ${outcome.status}`);
          if (answered) this.kept.set(`${outcome.agent_id}/${outcome.call_id}`, answered);
        },
      },
      clock: this.time,
      scheduler: this.time,
      live: new LiveCalls(),
    };
  }

  #toolNamed(name: string): Tool {
    return {
      available: () => this.toolAvailable,
      preflight: () => this.preflight,
      ...(this.previews === null ? {} : { preview: this.previews }),
      run: (args, context) => {
        this.journal.push(`run ${name}`);
        this.ran.push({ tool: name, args, context });
        return this.runs(args, context);
      },
    };
  }

  /** The requests that wait for the person, the first one first. */
  get cards(): readonly ConsentRequest[] {
    return this.queue.waiting().map(({ request }) => request);
  }

  handle(arrival: Arrival): Promise<ToolResponse | null> {
    return handleCall(this.ports, arrival);
  }

  /** A call that has come as far as it can without time or the person. */
  async start(...call: Parameters<typeof callTo>) {
    const response = this.handle(callTo(...call));
    await this.settle();
    return { response };
  }

  /** A call that the person is asked about; the response to it once they have answered. */
  async answered(answer: Answer, ...call: Parameters<typeof callTo>): Promise<ToolResponse | null> {
    const { response } = await this.start(...call);
    await this.answer(answer);
    return await response;
  }

  /** Lets everything that can happen without time or the person happen. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  }

  /** What a person does: the card appears, a moment passes, they click. */
  async answer(
    answer: Answer,
    root: ChosenRoot | null = null,
    rule: ChosenRule | null = null,
  ): Promise<void> {
    await this.settle();
    const [card] = this.cards;
    if (card === undefined) throw new Error("nobody is asked");
    this.queue.opened(card.request_id);
    this.queue.read(card.request_id);
    this.time.pass(LIMITS.approvalInertMs);
    const fault = this.queue.answer(card.request_id, answer, root, rule);
    if (fault !== null) throw new Error(fault);
    await this.settle();
  }

  outcomes(): OutcomeRecord[] {
    return this.records.filter((record) => record.kind === "outcome");
  }
}

const quietPeriodId = ({ agent_id, conversation_id, scope, subject }: QuietPeriodKey): string =>
  canonicalJson([agent_id, conversation_id, scope, subject]);

export const SCOPES = {
  send_notification: "notification:send",
  read_clipboard: "clipboard:read",
  write_clipboard: "clipboard:write",
  read_file: "filesystem:read",
} as const;

export interface AgentShape {
  readonly sensitivity?: Partial<Record<string, Sensitivity>>;
  readonly grants?: Readonly<Record<string, Grant["state"] | undefined>>;
  readonly timeout_ms?: number;
  readonly toolScopes?: Readonly<Record<string, string>>;
}

const LEAST: Record<string, Sensitivity> = {
  "notification:send": "low",
  "clipboard:read": "medium",
  "clipboard:write": "medium",
  "filesystem:read": "medium",
};

/** An agent that declares every tool that has a scope; everything is granted by default. */
export function agentWith(shape: AgentShape): KnownAgent {
  const scopes = [...new Set(Object.values({ ...SCOPES, ...shape.toolScopes }))];
  const manifest: Manifest = deepFreeze({
    schema_version: "1.0",
    agent_version: "1.0.0",
    tools: Object.entries({ ...SCOPES, ...shape.toolScopes }).map(([name, permission_scope]) => ({
      name,
      description_i18n_key: `agent.tools.${name}.desc`,
      input_schema: { type: "object" },
      permission_scope,
      ...(shape.timeout_ms === undefined ? {} : { timeout_ms: shape.timeout_ms }),
    })),
    permission_scopes: scopes.map((id) => ({
      id,
      label_i18n_key: `agent.scopes.${id}.label`,
      label_fallback: id,
      sensitivity: shape.sensitivity?.[id] ?? LEAST[id] ?? "low",
    })),
  });
  const manifest_hash = digestOf(manifest as unknown as JsonObject);
  const grants = new Map<string, Grant>();
  for (const scope of scopes) {
    const state = shape.grants && scope in shape.grants ? shape.grants[scope] : "granted";
    if (state !== undefined) grants.set(scope, { scope, state, changed_at: 0 });
  }
  return {
    agent_id: "agent-1",
    name: "Notes",
    channel: "hub",
    relation: { relation_id: "relation-1", conversation_id: "conversation-1" },
    manifest,
    manifest_version: 1,
    manifest_hash,
    reviewed_hash: manifest_hash,
    reviewed_manifest: manifest,
    grants,
    roots: [],
    hosts: [],
    added_at: 0,
  };
}

export interface CallShape {
  readonly call_id?: string;
  readonly args?: JsonObject;
  readonly scope?: string;
  readonly timeout_ms?: number;
  readonly conversation_type?: Arrival["conversation_type"];
  readonly conversation_id?: string;
  readonly agent_id?: string;
}

const ARGUMENTS: Record<string, JsonObject> = {
  send_notification: { title: "Hello" },
  read_clipboard: {},
  write_clipboard: { text: "copied" },
  read_file: { path: "/home/ada/notes.md" },
};

let calls = 0;

export function callTo(tool: string, shape: CallShape = {}): Arrival {
  const args = deepFreeze(shape.args ?? ARGUMENTS[tool] ?? {});
  const call: ToolCall = deepFreeze({
    call_id: shape.call_id ?? `call-${++calls}`,
    tool_name: tool,
    arguments: args,
    canonical_arguments: canonicalJson(args),
    arguments_digest: digestOf(args),
    permission_scope: shape.scope ?? SCOPES[tool as keyof typeof SCOPES] ?? "unknown:scope",
    ...(shape.timeout_ms === undefined ? {} : { timeout_ms: shape.timeout_ms }),
  });
  return {
    decoded: { kind: "call", call },
    agent_id: shape.agent_id ?? "agent-1",
    conversation_id: shape.conversation_id ?? "conversation-1",
    conversation_type: shape.conversation_type ?? "h2a",
    transport: "hub",
  };
}
