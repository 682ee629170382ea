import { expect, test } from "vitest";
import { memberText } from "./member-text.ts";

test("a member's value comes back exactly as it was sent", () => {
  const value = '{ "a" : [1, {"b": "}\\",]"}] ,"é":"\\u00e9" }';
  expect(memberText(`{"name":"x,:{","m" : ${value} }`, "m")).toBe(value);
  expect(memberText(`{"m":${value},"name":"x"}`, "m")).toBe(value);
});

test("a key that is spelt with escapes is the same key", () => {
  expect(memberText('{"\\u006d":1}', "m")).toBe("1");
});

test("a nested key or a value of the same spelling is not the member", () => {
  expect(memberText('{"a":{"m":1},"b":"m","c":["m",2]}', "m")).toBeUndefined();
});

test("scalar values end where the member ends", () => {
  expect(memberText('{"m":12.5,"b":1}', "m")).toBe("12.5");
  expect(memberText('{"b":1,"m":null}', "m")).toBe("null");
  expect(memberText('{"m":"a\\\\","b":1}', "m")).toBe('"a\\\\"');
});
