import { expect, it } from "vitest";
import { sampleRule } from "../../app/grants/testing/sample-rule.ts";
import { forgetSealed } from "./forget-sealed.ts";
import { agent, ScratchStore } from "./testing/scratch-store.ts";

const scratch = ScratchStore.forEachTest();
const EFFECTS = ["allow", "ask", "deny"] as const;

/** What rules still say after the rows are erased, of an agent with a rule of each kind. */
async function effectsWithout(rows: "all" | "records") {
  const first = scratch.open().store;
  await first.agents.accept(agent());
  const { rule_id: _, last_used_at: __, uses: ___, ...rule } = sampleRule({});
  for (const effect of EFFECTS) await first.grants.addRule({ ...rule, covers: effect, effect });
  first.close();
  forgetSealed(scratch.dataDir, 1, { rows, values: [] });
  const { grants } = scratch.open().store;
  return grants.rules("agent-1").map(({ effect }) => effect);
}

it("an agent's rules that allow go with its known key, as its grants do; the others stay", async () => {
  expect((await effectsWithout("records")).toSorted()).toEqual(["ask", "deny"]);
});

it("all rules stay where the grants do", async () => {
  expect((await effectsWithout("all")).toSorted()).toEqual(EFFECTS);
});
