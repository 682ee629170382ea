import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EnvelopeError, plainEnvelope } from "./envelope.ts";

const context = { conversation_id: "c", sender_id: "a" };

describe("the envelope of version 0", () => {
  it("opens to the bytes that were sealed", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40_000 }), (plaintext) => {
        const opened = plainEnvelope.open(plainEnvelope.seal(plaintext, context), context);
        expect([...opened]).toEqual([...plaintext]);
      }),
      { numRuns: 50 },
    );
  });

  it.each(["", "!!!", "AQ==", "é"])("refuses %j with its code", (wire) => {
    expect(() => plainEnvelope.open(wire, context)).toThrow(EnvelopeError);
  });
});
