import fc from "fast-check";
import { expect, it } from "vitest";
import { LIMITS } from "../limits.ts";
import type { ArtifactChange, ArtifactState } from "./artifact.ts";
import { readChange, revise } from "./revise.ts";

const FIRST: ArtifactState = {
  artifact_id: "a",
  revision: 0,
  title: "Import",
  blocks: [
    { tag: "status", key: "state", text: "started" },
    { tag: "progress", key: "bar", label: "Files", value: 0 },
    { tag: "divider" },
  ],
  waiting: [],
};

const update = (revision: number): ArtifactChange => ({
  revision,
  updates: {
    bar: { value: revision },
    ...(revision % 3 === 0 ? { state: { text: `${revision}` } } : {}),
  },
});
const inOrder = (count: number): readonly ArtifactChange[] =>
  Array.from({ length: count }, (_, index) => update(index + 1));
const applied = (changes: readonly ArtifactChange[]): ArtifactState =>
  changes.reduce<ArtifactState>((state, change) => revise(state, change).state, FIRST);

/** Changes in any order, some of them twice. */
const arrivals = fc
  .integer({ min: 1, max: 12 })
  .chain((count) =>
    fc
      .tuple(
        fc.shuffledSubarray([...inOrder(count)], { minLength: count }),
        fc.array(fc.integer({ min: 1, max: count }).map(update), { maxLength: 6 }),
      )
      .map(([all, again]) => ({ count, arrived: [...all, ...again] })),
  );

it("in whatever order changes arrive, and however often, the artifact ends the same", () => {
  fc.assert(
    fc.property(arrivals, ({ count, arrived }) => {
      expect(applied(arrived)).toEqual(applied(inOrder(count)));
    }),
  );
});

it("the revision never falls, and is that of the last change without a gap before it", () => {
  fc.assert(
    fc.property(arrivals, ({ arrived }) => {
      let state = FIRST;
      const seen = new Set<number>();
      for (const change of arrived) {
        const before = state.revision;
        state = revise(state, change).state;
        seen.add(change.revision);
        let complete = 0;
        while (seen.has(complete + 1)) complete += 1;
        expect(state.revision).toBe(complete);
        expect(state.revision).toBeGreaterThanOrEqual(before);
      }
    }),
  );
});

it("a change that is not newer leaves everything as it is", () => {
  const state = applied(inOrder(4));
  const older = { revision: 4, updates: { bar: { value: 99 } } };
  expect(revise(state, older)).toEqual({ state, outcome: "older" });
});

it("a change after a gap changes nothing until the gap is filled", () => {
  const gap = revise(FIRST, update(2));
  expect(gap.outcome).toBe("gap");
  expect(gap.state.blocks).toEqual(FIRST.blocks);
  expect(revise(gap.state, update(1))).toMatchObject({
    outcome: "applied",
    state: { revision: 2, waiting: [] },
  });
});

it("the whole artifact fills every gap before it, and keeps what follows it", () => {
  const torn = applied([update(3), update(5), update(6)]);
  const blocks = applied(inOrder(4)).blocks;
  const whole = revise(torn, { revision: 4, title: "Import", blocks });
  expect(whole.outcome).toBe("applied");
  expect(whole.state).toEqual(applied(inOrder(6)));
});

it("a change touches only the blocks it names, and neither their tag nor their key", () => {
  const updates = { bar: { value: 7, tag: "code", key: "state" }, nobody: { text: "x" } };
  const { state } = revise(FIRST, { revision: 1, updates });
  expect(state.blocks).toEqual([
    FIRST.blocks[0],
    { tag: "progress", key: "bar", label: "Files", value: 7 },
    FIRST.blocks[2],
  ]);
});

it("a change that would break a limit is refused, and leaves everything as it is", () => {
  const text = "x".repeat(LIMITS.artifactBytes);
  const tooLong = { revision: 1, updates: { state: { text } } };
  expect(revise(FIRST, tooLong)).toEqual({ state: FIRST, outcome: "unfit" });
});

it.each([
  ["bar", { value: 200 }],
  ["bar", { label: "" }],
  ["state", { text: "x".repeat(LIMITS.artifactLabelChars + 1) }],
])("a change with which a block could not be drawn any more is refused: %s", (key, fields) => {
  const updates = { state: { text: "done" }, [key]: fields };
  expect(revise(FIRST, { revision: 1, updates })).toEqual({ state: FIRST, outcome: "unfit" });
});

it("a change is refused that lets an earlier block take the key of one that is drawn", () => {
  const blocks = [{ tag: "status", key: "bar" }, ...FIRST.blocks];
  const state = { ...FIRST, blocks };
  const updates = { bar: { text: "here" } };
  expect(revise(state, { revision: 1, updates })).toEqual({ state, outcome: "unfit" });
});

it("a block that cannot be drawn is changed too, and drawn once it can be", () => {
  const blocks = [{ tag: "chart", key: "chart", points: 1 }, ...FIRST.blocks];
  const state = { ...FIRST, blocks: [...blocks, { tag: "status", key: "late" }] };
  const updates = { chart: { points: 2 }, late: { text: "here" } };
  const { outcome, state: after } = revise(state, { revision: 1, updates });
  expect(outcome).toBe("applied");
  expect(after.blocks[0]).toEqual({ tag: "chart", key: "chart", points: 2 });
  expect(after.blocks.at(-1)).toEqual({ tag: "status", key: "late", text: "here" });
});

it("in whatever order changes arrive, those before a refused one apply, and those after it wait", () => {
  const broken = { revision: 3, updates: { bar: { value: 200 } } };
  const all = [update(1), update(2), broken, update(4), update(5)];
  const expected = { ...applied(inOrder(2)), waiting: [update(4), update(5)] };
  fc.assert(
    fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (arrived) => {
      expect(applied(arrived)).toEqual(expected);
    }),
  );
});

it.each([
  [{ revision: 0, updates: {} }],
  [{ revision: 1.5, updates: {} }],
  [{ revision: LIMITS.artifactRevisions + 1, updates: {} }],
  [{ revision: "1", updates: {} }],
  [{ revision: 1 }],
  [{ revision: 1, updates: [] }],
  [{ revision: 1, updates: { a: "text" } }],
  [{ revision: 1, updates: {}, blocks: [{ tag: "divider" }] }],
  [{ revision: 1, blocks: [] }],
  [{ revision: 1, blocks: ["text"] }],
  [{ revision: 1, blocks: [{ tag: "divider" }], title: 7 }],
])("%j is no change", (artifact) => {
  expect(readChange(artifact)).toBeUndefined();
});
