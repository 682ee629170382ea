import { expect, it } from "vitest";
import { countAll, NO_CALLS } from "./count-all.ts";
import type { SummaryStep } from "./views.ts";

const counts = NO_CALLS;
const agent = (agent_id: string, ok: number) => ({ agent_id, agent_name: "", ...counts, ok });

/** Two stretches of a log that share a day and an agent. */
const STRETCHES: readonly SummaryStep[] = [
  {
    total: 3,
    days: [{ day: 2, ...counts, ok: 3 }],
    agents: [agent("b", 2), agent("a", 1)],
    next_before_seq: 7,
  },
  {
    total: 4,
    days: [
      { day: 2, ...counts, ok: 1, denied: 1 },
      { day: 1, ...counts, error: 2 },
    ],
    agents: [{ ...agent("a", 1), denied: 1, error: 2 }],
    next_before_seq: null,
  },
];

function stretches() {
  const asked: (number | null)[] = [];
  const step = async (before: number | null) => {
    asked.push(before);
    const stretch = STRETCHES[asked.length - 1];
    if (stretch === undefined) throw new Error("asked too often");
    return stretch;
  };
  return { asked, step };
}

it("adds up the stretches by day and by agent, and tells of each part", async () => {
  const { asked, step } = stretches();
  const parts: number[] = [];
  const all = await countAll({ step, onPart: ({ total }) => parts.push(total) });
  expect(all).toEqual({
    total: 7,
    days: [
      { day: 1, ...counts, error: 2 },
      { day: 2, ...counts, ok: 4, denied: 1 },
    ],
    agents: [{ ...agent("a", 2), denied: 1, error: 2 }, agent("b", 2)],
  });
  expect(parts).toEqual([3]);
  expect(asked).toEqual([null, 7]);
});

it("tells of nothing and asks no further once it is no longer wanted", async () => {
  const { asked, step } = stretches();
  const parts: number[] = [];
  const end = new AbortController();
  const counting = countAll({
    step,
    onPart: ({ total }) => parts.push(total),
    signal: end.signal,
  });
  end.abort();
  await expect(counting).rejects.toThrow("aborted");
  expect([asked, parts]).toEqual([[null], []]);
});
