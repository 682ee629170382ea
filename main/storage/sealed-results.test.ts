import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openResult, sealResult } from "./sealed-results.ts";

const random = (bytes: number) => randomBytes(bytes);
const of = { agentId: "agent-1", callId: "call-1", canonicalArguments: '{"path":"/a"}' };

describe("a sealed result", () => {
  it("opens for the same call", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const result = JSON.parse(JSON.stringify(value));
        expect(openResult(sealResult(result, of, random), of)).toEqual(result);
      }),
    );
  });

  it("does not open for other arguments, another agent or another id", () => {
    const sealed = sealResult("secret", of, random);
    expect(openResult(sealed, { ...of, canonicalArguments: '{"path":"/b"}' })).toBeUndefined();
    expect(openResult(sealed, { ...of, agentId: "agent-2" })).toBeUndefined();
    expect(openResult(sealed, { ...of, callId: "call-2" })).toBeUndefined();
  });

  it("does not open when the boundary between the two ids is moved", () => {
    const sealed = sealResult("secret", { ...of, agentId: "a", callId: "bc" }, random);
    expect(openResult(sealed, { ...of, agentId: "ab", callId: "c" })).toBeUndefined();
  });

  it("does not open when any byte of it was changed or removed", () => {
    const sealed = sealResult("secret", of, random);
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(openResult(changed, of)).toBeUndefined();
      expect(openResult(sealed.subarray(0, index), of)).toBeUndefined();
    }
  });

  it("begins with its version and never holds the result or the arguments in the clear", () => {
    const sealed = sealResult("a very secret result", of, random);
    expect(sealed[0]).toBe(1);
    expect(Buffer.from(sealed).includes("secret")).toBe(false);
    expect(Buffer.from(sealed).includes("path")).toBe(false);
  });
});
