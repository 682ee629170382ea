import type { CallArgs } from "../../../app/bridge/calls.ts";
import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import type { RuleTest } from "../../../app/bridge/rule-calls.ts";
import { assertNever } from "../../../app/contract/assert-never.ts";
import { type CatalogueEntry, catalogueEntry } from "../../../app/contract/catalogue.ts";
import type { Refusal } from "../../../app/contract/codes.ts";
import type { DecidedBy } from "../../../app/contract/decided-by.ts";
import type { ReadableArrival } from "../../../app/execution/arrival.ts";
import {
  decideSilently,
  ruleFor,
  type SilentPorts,
} from "../../../app/execution/decide-silently.ts";
import { type ExaminedCall, examineCall } from "../../../app/execution/examine-call.ts";
import type { ExecutionPorts } from "../../../app/execution/execution-ports.ts";
import type { ArgumentsValidator, Preview, ServedAgent } from "../../../app/execution/ports.ts";
import type { GrantStore } from "../../storage/index.ts";
import { argumentsFor, arrivalOf, previewOf } from "./tested-call.ts";

export type TestPorts = Pick<
  ExecutionPorts,
  "agents" | "pause" | "ledger" | "tools" | "settings" | "clock"
>;
type TestedGrants = Pick<GrantStore, "rules" | "quietPeriodsOf">;
type Why = RuleTest["why"];

/**
 * Whether a call like this would be asked about: what refuses and decides real calls is asked here too.
 * A command is taken to run in a sandbox without network, and in a folder that the agent may change if
 * it has one.
 *
 * @throws BridgeError `not_found`; `rule_unusable` for what is no tool or nothing it could be about
 */
export async function testCall(
  ports: TestPorts,
  grants: TestedGrants,
  { agent_id, tool_name, about }: CallArgs<"rules.test">,
): Promise<RuleTest> {
  await ports.agents.ready(agent_id);
  const agent = ports.agents.agent(agent_id);
  if (agent === undefined) throw bridgeError("not_found");
  const entry = catalogueEntry(tool_name);
  if (entry === undefined) throw bridgeError("rule_unusable");
  const args = argumentsFor(entry, about, agent);
  if (ports.pause.isOn()) return refused("paused");
  if (!ports.ledger.canRecord()) return refused("unrecorded");
  const arrival = arrivalOf(agent, entry, args);
  const examined = await examineCall({ ...ports, validator: ANY_SCHEMA }, arrival);
  if ("status" in examined) return refused(whyRefused(examined, agent, entry));
  const looked =
    examined.tool.preview === undefined ? null : { shown: await previewOf(args), seen: null };
  // Only what it is about, not what its tool needs besides, is a place that rules know.
  return decided({ ...ports, grants: onlyRead(grants) }, { ...examined, args }, arrival, looked);
}

/** An agent's own schema may want more than what is made up here. */
const ANY_SCHEMA: ArgumentsValidator = { validate: async () => ({ kind: "valid" }) };

const refused = (why: Why): RuleTest => ({ outcome: "deny", why, rule_id: null });

/** @throws BridgeError `rule_unusable` */
function whyRefused(refusal: Refusal, agent: ServedAgent, { name, scope }: CatalogueEntry): Why {
  if (refusal.status === "denied") {
    return agent.isDenied?.(scope) ? "policy" : (agent.withheld ?? "permission");
  }
  switch (refusal.error_code) {
    case "TOOL_INVALID_ARGUMENTS":
      throw bridgeError("rule_unusable");
    case "TOOL_UNAVAILABLE":
      return "unavailable";
    case "TOOL_PLATFORM_ERROR":
      return name === "fetch_url" ? "address" : "outside";
    default:
      return assertNever(refusal);
  }
}

/** Counts no use, and knows the quiet periods of every conversation. */
const onlyRead = (grants: TestedGrants): SilentPorts["grants"] => ({
  rules: (agentId) => grants.rules(agentId),
  quietPeriods: ({ agent_id, scope }) =>
    grants.quietPeriodsOf(agent_id).filter((period) => period.scope === scope),
  countUse: () => {},
  touchQuietPeriod: () => {},
});

const WHY_DECIDED: Partial<Record<DecidedBy, Why>> = {
  silent_low: "low",
  window: "quiet",
  hands_off: "profile",
};

function decided(
  ports: SilentPorts,
  call: ExaminedCall,
  arrival: ReadableArrival,
  looked: Preview | null,
): RuleTest {
  const standing = decideSilently(ports, call, arrival, looked);
  if (standing.kind === "ask") return { outcome: "ask", ...whyAsked(ports, call, looked) };
  const { decided_by, rule_id = null } = standing.by;
  const outcome = standing.kind === "given" ? "allow" : "deny";
  return { outcome, why: WHY_DECIDED[decided_by] ?? "rule", rule_id };
}

function whyAsked(
  ports: SilentPorts,
  call: ExaminedCall,
  looked: Preview | null,
): Pick<RuleTest, "why" | "rule_id"> {
  const rule = ruleFor(ports, call, looked?.shown ?? null);
  if (ports.settings.current().profile === "ask_everything")
    return { why: "profile", rule_id: null };
  if (rule?.effect === "ask") return { why: "rule", rule_id: rule.rule_id };
  if (call.wanted === null) return { why: "nothing", rule_id: null };
  return { why: call.wanted.kind === "root_wanted" ? "folder" : "host", rule_id: null };
}
