import { describe, expect, it } from "vitest";
import { nodePrimitives as crypto } from "../../../runtime/crypto/node-primitives.ts";
import { makeEnd, NOW } from "../testing/conversation.ts";
import { expectRefusal } from "../testing/expect-refusal.ts";
import {
  addOneTimePrekeys,
  addSignedPrekey,
  decodePrekeys,
  dropPrekeys,
  EMPTY_PREKEYS,
  encodePrekeys,
  PREKEY_RULES,
  planPrekeys,
} from "./prekeys.ts";

const { prekeys, identity } = await makeEnd(crypto, "bob");
const WEEK = PREKEY_RULES.renewSignedAfterMs;

describe("planning prekeys", () => {
  it("asks for everything where there is nothing", () => {
    const plan = { addSigned: true, dropSigned: [], addOneTime: 100, dropOneTime: [] };
    expect(planPrekeys(EMPTY_PREKEYS, 0, NOW)).toEqual(plan);
  });

  it("asks for nothing while there is enough", () => {
    const plan = { addSigned: false, dropSigned: [], addOneTime: 0, dropOneTime: [] };
    expect(planPrekeys(prekeys, PREKEY_RULES.oneTimeLow, NOW + WEEK - 1)).toEqual(plan);
  });

  it("fills one-time prekeys up when they run low", () => {
    expect(planPrekeys(prekeys, PREKEY_RULES.oneTimeLow - 1, NOW).addOneTime).toBe(81);
  });

  it("renews the signed prekey after a week, or when it is from the future", () => {
    expect(planPrekeys(prekeys, 50, NOW + WEEK).addSigned).toBe(true);
    expect(planPrekeys(prekeys, 50, NOW - 1).addSigned).toBe(true);
  });

  it("keeps a replaced signed prekey for messages under way, then drops it", async () => {
    const renewed = await addSignedPrekey(crypto, identity, prekeys, NOW + WEEK);
    const [old, fresh] = renewed.signed;
    const end = NOW + WEEK + PREKEY_RULES.keepReplacedMs;
    expect(planPrekeys(renewed, 50, end).dropSigned).toEqual([]);
    const plan = planPrekeys(renewed, 50, end + 1);
    expect(plan.dropSigned).toEqual([old?.id]);
    expect(dropPrekeys(renewed, plan).signed).toEqual([fresh]);
  });

  it("never keeps more one-time prekeys than it may: the oldest go", async () => {
    const many = await addOneTimePrekeys(crypto, identity, EMPTY_PREKEYS, 310);
    const plan = planPrekeys(many, 0, NOW);
    expect(plan.dropOneTime).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(dropPrekeys(many, plan).oneTime).toHaveLength(300);
  });

  it("never gives an id twice", async () => {
    const more = await addOneTimePrekeys(crypto, identity, { ...prekeys, oneTime: [] }, 2);
    expect(more.oneTime.map(({ id }) => id)).toEqual([prekeys.nextId, prekeys.nextId + 1]);
  });
});

describe("stored prekeys", () => {
  it("are read as they were written", async () => {
    expect(await decodePrekeys(crypto, await encodePrekeys(crypto, prekeys))).toEqual(prekeys);
  });

  it("are refused with a bit flipped, cut, or empty, never read as none", async () => {
    const stored = await encodePrekeys(crypto, prekeys);
    for (let at = 0; at < stored.length; at += 1) {
      const flipped = stored.map((byte, place) => (place === at ? byte ^ 1 : byte));
      await expectRefusal("corrupt_state", () => decodePrekeys(crypto, flipped));
      await expectRefusal("corrupt_state", () => decodePrekeys(crypto, stored.slice(0, at)));
    }
  });
});
