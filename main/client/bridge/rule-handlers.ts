import type { CallHandlers } from "../../../app/bridge/register-calls.ts";
import type { Rules } from "../agents/rules.ts";
import { done } from "../done.ts";
import type { DeliverFile } from "../host-port.ts";
import { fileStamp } from "./file-stamp.ts";

interface RuleHandlerParts {
  readonly rules: Rules;
  readonly deliver: DeliverFile;
  readonly now: () => number;
}

type RuleCall = "rules.add" | "rules.remove" | "rules.test" | "rules.export" | "rules.import";

export const ruleHandlers = ({
  rules,
  deliver,
  now,
}: RuleHandlerParts): Pick<CallHandlers, RuleCall> => ({
  "rules.add": (wanted) => done(rules.add(wanted)),
  "rules.remove": ({ agent_id, rule_id }) => done(rules.remove(agent_id, rule_id)),
  "rules.test": (tested) => rules.test(tested),
  "rules.export": async ({ agent_id }) => {
    const { text, ...counts } = rules.fileOf(agent_id);
    const delivered = await deliver({
      name: `consentry-rules-${fileStamp(now())}.json`,
      mediaType: "application/json; charset=utf-8",
      open: async function* () {
        yield new TextEncoder().encode(text);
      },
    });
    return { ...delivered, ...counts };
  },
  "rules.import": ({ agent_id, text }) => rules.takeFile(agent_id, text),
});
