import { expect, it } from "vitest";
import { nodePrimitives } from "./node-primitives.ts";
import { openBytes, sealBytes } from "./sealed-bytes.ts";

const key = nodePrimitives.randomBytes(32);
const [bytes, context] = [Buffer.from("content"), Buffer.from("row 1")];

it("opens with the same key for the same context only", () => {
  const sealed = sealBytes(key, bytes, context);
  expect(openBytes(key, sealed, context)).toEqual(new Uint8Array(bytes));
  expect(openBytes(key, sealed, Buffer.from("row 2"))).toBeNull();
  expect(openBytes(nodePrimitives.randomBytes(32), sealed, context)).toBeNull();
});

it("has the version and the nonce in front", () => {
  const sealed = sealBytes(key, bytes, context, (length) => new Uint8Array(length).fill(7));
  expect([...sealed.subarray(0, 13)]).toEqual([1, ...Array<number>(12).fill(7)]);
  expect(sealed.length).toBe(13 + bytes.length + 16);
});

it("does not open when any byte was changed or removed", () => {
  const sealed = sealBytes(key, bytes, context);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Uint8Array.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(openBytes(key, changed, context)).toBeNull();
    expect(openBytes(key, sealed.subarray(0, at), context)).toBeNull();
  }
});

it("seals nothing at all, too", () => {
  const nothing = new Uint8Array(0);
  expect(openBytes(key, sealBytes(key, nothing, nothing), nothing)).toEqual(nothing);
});
