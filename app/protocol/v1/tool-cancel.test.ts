import { expect, it } from "vitest";
import { decodeToolCancel, encodeToolCancel } from "./tool-cancel.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

it("reads the call id of what it wrote", () => {
  expect(decodeToolCancel(encodeToolCancel("call-1"))).toBe("call-1");
});

it.each([
  ["no JSON", "{"],
  ["no object", "[]"],
  ["no artifact", '{"type":"text","text":"x"}'],
  ["an artifact of text", '{"type":"artifact","artifact":"x"}'],
  ["a call", '{"type":"artifact","artifact":{"subtype":"tool_call","call_id":"c"}}'],
  ["no id", '{"type":"artifact","artifact":{"subtype":"tool_call_cancel"}}'],
  ["two ids", '{"artifact":{"subtype":"tool_call_cancel","call_id":"a","call_id":"b"}}'],
])("takes %s for no cancellation", (_, text) => {
  expect(decodeToolCancel(bytes(text))).toBeUndefined();
});
