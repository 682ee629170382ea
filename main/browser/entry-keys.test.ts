import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { ManualTime } from "../../app/contract/testing/manual-time.ts";
import { createEntryKeys, OPENING_TOKEN_MS } from "./entry-keys.ts";

function keysWithTime() {
  const time = new ManualTime();
  return { keys: createEntryKeys({ random: randomBytes, scheduler: time }), time };
}

test("a token is 256 bits, and no two are alike", () => {
  const { keys } = keysWithTime();
  const [one, other] = [keys.newToken(), keys.newToken()];
  expect(Buffer.from(one, "base64url")).toHaveLength(32);
  expect(one).not.toBe(other);
});

test("a token opens one page, once", () => {
  const { keys } = keysWithTime();
  const token = keys.newToken();
  expect(keys.admit(token)).toEqual(expect.any(String));
  expect(keys.admit(token)).toBeNull();
});

test("the session's secret is another one, and opens the page again and again", () => {
  const { keys } = keysWithTime();
  const token = keys.newToken();
  const session = keys.admit(token) ?? "";
  expect(session).not.toBe(token);
  expect(keys.admit(session)).toBe(session);
  expect(keys.admit(session)).toBe(session);
});

test("a token unused for ten minutes is void, one used before then is not touched by it", () => {
  const { keys, time } = keysWithTime();
  const unused = keys.newToken();
  const session = keys.admit(keys.newToken()) ?? "";
  time.pass(OPENING_TOKEN_MS - 1);
  const late = keys.newToken();
  time.pass(1);
  expect(keys.admit(unused)).toBeNull();
  expect(keys.admit(session)).toBe(session);
  expect(keys.admit(late)).not.toBeNull();
});

test.each(["", "x", "A".repeat(43), "\u0000"])("the guess %j opens nothing", (guess) => {
  const { keys } = keysWithTime();
  keys.newToken();
  expect(keys.admit(guess)).toBeNull();
});

test("past 64 unused tokens the oldest is forgotten and leaves no timer", () => {
  const { keys, time } = keysWithTime();
  const oldest = keys.newToken();
  const rest = Array.from({ length: 64 }, () => keys.newToken());
  expect(keys.admit(oldest)).toBeNull();
  expect(keys.admit(rest[0] ?? "")).not.toBeNull();
  expect(time.pending).toBe(63);
});

test("past 64 sessions the one that was not used for longest is forgotten", () => {
  const { keys } = keysWithTime();
  const enter = () => keys.admit(keys.newToken()) ?? "";
  const first = enter();
  const second = enter();
  for (let more = 2; more < 64; more += 1) enter();
  expect(keys.admit(first)).toBe(first);
  const newest = enter();
  expect([first, second, newest].map((each) => keys.admit(each))).toEqual([first, null, newest]);
});

test("closing forgets every key and every timer", () => {
  const { keys, time } = keysWithTime();
  const session = keys.admit(keys.newToken()) ?? "";
  const token = keys.newToken();
  keys.close();
  expect([keys.admit(session), keys.admit(token)]).toEqual([null, null]);
  expect(time.pending).toBe(0);
});
