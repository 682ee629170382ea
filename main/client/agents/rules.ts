import type { RuleTest } from "../../../app/bridge/agent-calls.ts";
import type { CallArgs, CallResult, RootTerms } from "../../../app/bridge/calls.ts";
import { type BridgeErrorCode, bridgeError } from "../../../app/bridge/client-bridge.ts";
import { programOf } from "../../../app/commands/covers-command.ts";
import { contractFor } from "../../../app/contract/agent-catalogue.ts";
import { assertNever } from "../../../app/contract/assert-never.ts";
import { CATALOGUE } from "../../../app/contract/catalogue.ts";
import { manifestScope } from "../../../app/contract/manifest.ts";
import {
  isRuleActive,
  type MadeRule,
  type Rule,
  type RuleSubject,
  type RuleTime,
  type RuleWords,
} from "../../../app/contract/rule.ts";
import { highestSensitivity, type Sensitivity } from "../../../app/contract/scopes.ts";
import type { ToolContract } from "../../../app/contract/tools/tool-contract.ts";
import { confinedLevel, effectiveSensitivity } from "../../../app/execution/examine-call.ts";
import type { ServedAgent } from "../../../app/execution/ports.ts";
import type { AnsweredRoot, KnownAgent } from "../../../app/grants/grant.ts";
import { isKept, readRuleFile, ruleFile, weakenedBy } from "../../../app/grants/rule-file.ts";
import {
  plainSubject,
  type RuleFault,
  ruleEndsAt,
  ruleFault,
} from "../../../app/grants/rule-for.ts";
import type { GrantStore } from "../../storage/index.ts";
import { programFile, type TestPorts, testCall } from "./test-call.ts";

export interface RulePorts {
  /** As their calls are judged. */
  readonly agents: { agent(agentId: string): JudgedAgent | undefined };
  readonly grants: Pick<GrantStore, "rules" | "addRule" | "removeRule" | "quietPeriodsOf">;
  readonly clock: { now(): number };
  /** What this agent's calls are decided with. */
  readonly portsOf: (agent: KnownAgent) => TestPorts;
  /** Decides by the agent's rules what waits. */
  readonly made: (agentId: string) => void;
  readonly changed: () => void;
}

type JudgedAgent = KnownAgent & Pick<ServedAgent, "leastByPolicy">;

/** The person's rules as they write, test, keep and remove them on a page. */
export class Rules {
  readonly #ports: RulePorts;

  constructor(ports: RulePorts) {
    this.#ports = ports;
  }

  /** @throws BridgeError as `rules.add` */
  async add({ agent_id, time, replaces, ...said }: CallArgs<"rules.add">): Promise<void> {
    const agent = this.#agent(agent_id);
    const words = { ...said, subject: await this.#named(agent, said.subject) };
    const now = this.#ports.clock.now();
    const lasting =
      time === "unchanged" ? this.#lastingOf(agent, replaces, now) : lastingFrom(time, now);
    const fault = this.#faultOf(agent, words, lasting.ends_at);
    if (fault !== null) throw bridgeError(bridgeCode(fault));
    await this.#ports.grants.addRule(this.#byHand(agent, words, lasting));
    // One about the same was replaced by the new one already.
    if (replaces !== undefined && this.#has(agent_id, replaces)) {
      await this.#ports.grants.removeRule(replaces);
    }
    this.#ports.made(agent_id);
    this.#ports.changed();
  }

  /** @throws BridgeError `not_found` */
  async remove(agentId: string, ruleId: string): Promise<void> {
    if (!this.#has(agentId, ruleId)) throw bridgeError("not_found");
    await this.#ports.grants.removeRule(ruleId);
    this.#ports.changed();
  }

  /** @throws BridgeError `not_found`, `rule_unusable` */
  async test(tested: CallArgs<"rules.test">): Promise<RuleTest> {
    const { portsOf, grants } = this.#ports;
    return await testCall(portsOf(this.#agent(tested.agent_id)), grants, tested);
  }

  /** @throws BridgeError `not_found` */
  fileOf(agentId: string): ReturnType<typeof ruleFile> {
    const { manifest_hash } = this.#agent(agentId);
    return ruleFile(this.#ports.grants.rules(agentId), manifest_hash, this.#ports.clock.now());
  }

  /** @throws BridgeError `not_found`, `file_unusable` */
  async takeFile(agentId: string, text: string): Promise<CallResult<"rules.import">> {
    const agent = this.#agent(agentId);
    const read = readRuleFile(text);
    if (read === null) throw bridgeError("file_unusable");
    const now = this.#ports.clock.now();
    const fit = read.filter(
      ({ ends_at, ...words }) =>
        (ends_at === null || ends_at > now) &&
        this.#faultOf(agent, words, ends_at) === null &&
        !(words.effect === "allow" && levelOf(agent, words.covers) === "high"),
    );
    // What the file says itself is in order; only what the person said before stands against it.
    const active = this.#ports.grants
      .rules(agentId)
      .filter((each) => isRuleActive(each, agent.manifest_hash, now));
    const news = fit.filter((rule) => !isKept(rule, active));
    const weakening = news.flatMap(({ ends_at, ...words }) => {
      const stands = weakenedBy({ ends_at, ...words }, active).map(({ rule_id }) => rule_id);
      return stands.length === 0 ? [] : [{ ...words, stands }];
    });
    const added = news.filter((rule) => weakenedBy(rule, active).length === 0);
    for (const { ends_at, ...words } of added) {
      await this.#ports.grants.addRule(this.#byHand(agent, words, { ends_at, for_task: false }));
    }
    this.#ports.made(agentId);
    this.#ports.changed();
    return {
      added: added.length,
      kept: fit.length - news.length,
      left_out: read.length - fit.length,
      weakening,
    };
  }

  /** As calls name it: a program by its file, a host in the form in which it is reached. */
  async #named(agent: JudgedAgent, subject: RuleSubject): Promise<RuleSubject> {
    if (subject.kind === "command") {
      const served = this.#ports.portsOf(agent).agents.agent(agent.agent_id);
      const program = await programFile(subject.program, served);
      if (program === null) throw bridgeError("program_missing");
      return { ...subject, ...programOf(program, subject.named ?? subject.program) };
    }
    const plain = plainSubject(subject);
    if (plain === null)
      throw bridgeError(subject.kind === "host" ? "host_unusable" : "rule_unusable");
    return plain;
  }

  #byHand(
    agent: JudgedAgent,
    words: RuleWords,
    lasting: Pick<Rule, "ends_at" | "for_task">,
  ): MadeRule {
    return {
      ...words,
      ...lasting,
      agent_id: agent.agent_id,
      answers_high: words.effect === "allow" && levelOf(agent, words.covers) === "high",
      manifest_hash: agent.manifest_hash,
      made_at: this.#ports.clock.now(),
      made_on: null,
    };
  }

  #faultOf(agent: JudgedAgent, words: RuleWords, endsAt: number | null): RuleFault | null {
    const lasts = endsAt === null ? null : endsAt - this.#ports.clock.now();
    const declared = contractsOf(agent);
    return ruleFault(words, { declared, sensitivity: levelOf(agent, words.covers), lasts });
  }

  /** @throws BridgeError `not_found` for a rule that is over */
  #lastingOf(
    { agent_id, manifest_hash }: KnownAgent,
    ruleId: string | undefined,
    now: number,
  ): Pick<Rule, "ends_at" | "for_task"> {
    const rule = this.#ports.grants.rules(agent_id).find(({ rule_id }) => rule_id === ruleId);
    if (rule === undefined || !isRuleActive(rule, manifest_hash, now)) {
      throw bridgeError("not_found");
    }
    return { ends_at: rule.ends_at, for_task: rule.for_task };
  }

  #has(agentId: string, ruleId: string): boolean {
    return this.#ports.grants.rules(agentId).some(({ rule_id }) => rule_id === ruleId);
  }

  #agent(agentId: string): JudgedAgent {
    const agent = this.#ports.agents.agent(agentId);
    if (agent === undefined) throw bridgeError("not_found");
    return agent;
  }
}

function bridgeCode(fault: RuleFault): BridgeErrorCode {
  switch (fault) {
    case "unknown_tool":
    case "subject_unfit":
      return "rule_unusable";
    case "not_declared":
      return "rule_not_declared";
    case "runs_anything":
      return "rule_runs_anything";
    case "special_place":
      return "rule_special_place";
    case "dangerous":
      return "rule_dangerous";
    case "shell_word":
      return "rule_shell_word";
    case "high_too_wide":
      return "rule_too_wide";
    case "high_too_long":
      return "rule_too_long";
    default:
      return assertNever(fault);
  }
}

/** The contracts of the tools that it declares. */
const contractsOf = ({ manifest }: KnownAgent): readonly ToolContract[] =>
  manifest.tools.flatMap((tool) => contractFor(tool.name, tool.permission_scope) ?? []);

/** The highest sensitivity that rules can answer of this agent's calls of a tool, or of a scope's tools. */
function levelOf(agent: JudgedAgent, covers: string): Sensitivity {
  const isCovered = ({ name, scope }: ToolContract) => name === covers || scope === covers;
  const own = contractsOf(agent).filter(isCovered);
  const entries = own.length > 0 ? own : [...CATALOGUE.values()].filter(isCovered);
  return highestSensitivity(
    ...entries.map((entry) => {
      const confined = confinedLevel(agent, entry);
      if (confined !== undefined) return confined;
      const scope = manifestScope(agent.manifest, entry.scope);
      return scope === undefined ? entry.leastSensitivity : effectiveSensitivity(scope, entry);
    }),
  );
}

/** @param now on the trusted clock; today ends at the next midnight where the computer is */
export function lastingFrom(time: RuleTime, now: number): Pick<Rule, "ends_at" | "for_task"> {
  const midnight = new Date(now).setHours(24, 0, 0, 0);
  return { ends_at: ruleEndsAt(time, now, midnight), for_task: time === "task" };
}

/** @param now as `lastingFrom` */
export function rootTerms(
  { only_file, access, time }: RootTerms,
  now: number,
): Omit<AnsweredRoot, "path"> {
  const given = { access, ...(only_file ? ({ only_file } as const) : {}) };
  if (time === "once") return { ...given, once: true };
  const { ends_at, for_task } = lastingFrom(time, now);
  return {
    ...given,
    ...(ends_at === null ? {} : { ends_at }),
    ...(for_task ? { for_task } : {}),
  };
}
