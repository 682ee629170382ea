import { expect, it } from "vitest";
import { call, outcome, ScratchStore } from "../testing/scratch-store.ts";

const scratch = ScratchStore.forEachTest();

const REFUSED = { status: "denied", reason: "tool_not_declared", error_code: null } as const;

it("an agent that makes up a tool and a scope for each call is found by each", async () => {
  const { store } = scratch.open();
  const made = Array.from({ length: 400 }, (_, count) => ({
    ...outcome(call(`call-${count}`), scratch.wall, REFUSED),
    tool_name: `tool_${count}`,
    scope: `scope:${count % 50}`,
  }));
  await Promise.all(made.map((each) => store.ledger.recordOutcome(each)));
  const idsOf = async (filter: object) =>
    (await store.activity.page({ limit: 100, ...filter })).rows.map(({ call_id }) => call_id);
  expect(await idsOf({ tool_name: "tool_7" })).toEqual(["call-7"]);
  expect(await idsOf({ scope: "scope:49" })).toHaveLength(8);
  expect(await idsOf({ scope: "scope:49", tool_name: "tool_99" })).toEqual(["call-99"]);
  expect(await idsOf({ scope: "scope:49", tool_name: "tool_98" })).toEqual([]);
});
