import type { RuleTest } from "../../../../app/bridge/agent-calls.ts";
import type { Rule } from "../../../../app/contract/rule.ts";
import type { Profile } from "../../../../app/contract/settings.ts";
import type { ToolBox } from "../../../../app/execution/ports.ts";
import {
  type AgentShape,
  agentWith,
  SCOPES as CHAIN_SCOPES,
  ChainHarness,
} from "../../../../app/execution/testing/chain-harness.ts";
import type { Root } from "../../../../app/grants/grant.ts";
import { sampleRule } from "../../../../app/grants/testing/sample-rule.ts";
import { fakeFiles } from "../../../tools/testing/fake-files.ts";
import { testToolBox } from "../../../tools/testing/test-tool-box.ts";
import { MemoryPlatform } from "../../testing/memory-platform.ts";
import { testCall } from "../test-call.ts";

export const SCOPES = {
  ...CHAIN_SCOPES,
  fetch_url: "network:http",
  write_file: "filesystem:write",
  run_command: "shell:exec",
};
export const files = (path: string) => ({ kind: "path", path, names: null }) as const;
export const host = { kind: "host", host: "a.test", port: 443, method: "reading" } as const;
export const high = { covers: "write_file", answers_high: true, subject: files("/p") };

export const root = (path: string, access: Root["access"] = "read_write"): Root => ({
  root_id: path,
  path,
  access,
  added_at: 0,
});

/** What no agent may reach. */
export const OWN = import.meta.dirname;
export const OWN_PORT = 4_800;

/** Without what carries calls out: they are only examined here. */
export const TOOLS = testToolBox({
  platform: new MemoryPlatform(),
  files: fakeFiles({ ownData: [OWN] }).files,
  fetch: { ownPorts: () => [OWN_PORT] },
  command: { ownFolders: [OWN] },
});

interface Has {
  readonly roots?: readonly Root[];
  readonly grants?: AgentShape["grants"];
  readonly tools?: ToolBox;
}

/** What the page says of a call of a chain's agent. */
export const testedIn =
  (chain: ChainHarness, tools: ToolBox = TOOLS) =>
  (tool_name: string, about: string): Promise<RuleTest> =>
    testCall(
      { ...chain.ports, tools },
      { rules: () => chain.rules, quietPeriodsOf: () => [...chain.quietPeriods.values()] },
      { agent_id: chain.agent.agent_id, tool_name, about },
    );

/** A chain with these rules, and what the page says of a call there. */
export function withRules(
  rules: readonly Partial<Rule>[],
  profile: Profile = "everyday",
  has: Has = {},
) {
  const sensitivity = { "filesystem:write": "high", "network:http": "medium" } as const;
  const { roots = [root("/p"), root("/pa")], grants, tools } = has;
  const shape = { toolScopes: SCOPES, sensitivity, ...(grants && { grants }) };
  const chain = new ChainHarness({ agent: { ...agentWith(shape), roots } });
  const { manifest_hash } = chain.agent;
  chain.settings = { ...chain.settings, profile };
  chain.rules = rules.map((rule, at) =>
    sampleRule({ rule_id: `rule-${at}`, manifest_hash, ...rule }),
  );
  return { chain, said: testedIn(chain, tools) };
}

export const by = (outcome: RuleTest["outcome"], rule_id: string | null = "rule-0"): RuleTest => ({
  outcome,
  why: "rule",
  rule_id,
});
export const without = (outcome: RuleTest["outcome"], why: RuleTest["why"]): RuleTest => ({
  outcome,
  why,
  rule_id: null,
});
