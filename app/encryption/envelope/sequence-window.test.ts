import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EncryptionError } from "../encryption-error.ts";
import { expectRefusal } from "../testing/expect-refusal.ts";
import { admitSequence, NOTHING_RECEIVED, type SequenceWindow } from "./sequence-window.ts";

/** Admits numbers one after the other. @returns for each: accepted, or the code */
function admitAll(numbers: readonly number[]): readonly string[] {
  let window: SequenceWindow = NOTHING_RECEIVED;
  return numbers.map((number) => {
    try {
      window = admitSequence(window, number).window;
      return "accepted";
    } catch (error) {
      return error instanceof EncryptionError ? error.code : "failed";
    }
  });
}

describe("sequence numbers", () => {
  it("are accepted rising, and each other one is refused for what it is", () => {
    expect(admitAll([1, 2, 5, 5, 4, 2, 6, 3])).toEqual([
      "accepted",
      "accepted",
      "accepted",
      "replayed",
      "reordered",
      "replayed",
      "accepted",
      "reordered",
    ]);
  });

  it("are never accepted twice, nor after a greater one, whatever comes", () => {
    const number = fc.integer({ min: 1, max: 300 });
    fc.assert(
      fc.property(fc.array(number, { maxLength: 60 }), (numbers) => {
        const outcomes = admitAll(numbers);
        const accepted = numbers.filter((_, at) => outcomes[at] === "accepted");
        expect(accepted).toEqual([...new Set(accepted)].toSorted((a, b) => a - b));
        const highest = numbers.map((_, at) => Math.max(0, ...numbers.slice(0, at)));
        const rising = numbers.filter((each, at) => each > (highest[at] ?? 0));
        expect(accepted).toEqual(rising);
      }),
    );
  });

  it("take no more memory for a wide gap, and say how wide it was", async () => {
    const { window, missed } = admitSequence(NOTHING_RECEIVED, Number.MAX_SAFE_INTEGER);
    expect(missed).toBe(Number.MAX_SAFE_INTEGER - 1);
    expect(window.missing).toHaveLength(64);
    await expectRefusal("reordered", () => admitSequence(window, Number.MAX_SAFE_INTEGER - 1));
    await expectRefusal("replayed", () => admitSequence(window, 1));
  });
});
