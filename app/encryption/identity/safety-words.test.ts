import { describe, expect, it } from "vitest";
import { nodePrimitives as crypto } from "../../../runtime/crypto/node-primitives.ts";
import { safetyNumber, safetyWords } from "./fingerprint.ts";
import { createIdentity } from "./identity.ts";
import { SAFETY_WORDS } from "./safety-words-list.ts";

describe("the safety number in words", () => {
  it("has a list of 256 plain words that ascend and differ in their first four letters", () => {
    expect(SAFETY_WORDS).toHaveLength(256);
    expect(SAFETY_WORDS).toEqual([...SAFETY_WORDS].sort());
    expect(new Set(SAFETY_WORDS.map((word) => word.slice(0, 4))).size).toBe(256);
    for (const word of SAFETY_WORDS) expect(word).toMatch(/^[a-z]{3,10}$/);
  });

  it("is the same at both ends and another for each pair of keys", async () => {
    const [person, agent, other] = [
      (await createIdentity(crypto, "person-1")).card,
      (await createIdentity(crypto, "agent-1")).card,
      (await createIdentity(crypto, "agent-1")).card,
    ];
    const words = await safetyWords(crypto, person, agent);
    expect(words.split(" ")).toHaveLength(24);
    expect(await safetyWords(crypto, agent, person)).toBe(words);
    expect(await safetyWords(crypto, person, other)).not.toBe(words);
    expect(await safetyNumber(crypto, person, other)).not.toBe(
      await safetyNumber(crypto, person, agent),
    );
  });
});
