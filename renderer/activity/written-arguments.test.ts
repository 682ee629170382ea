import { Check } from "typebox/value";
import { expect, test } from "vitest";
import { writeFile } from "../../app/contract/tools/write-file.ts";
import { writtenArguments } from "./written-arguments.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

test("each form is one that write_file takes, and no two are alike", () => {
  const forms = writtenArguments("/a/b", bytesOf("\ufeffhällo\r\n"));
  expect(new Set(forms.map((each) => JSON.stringify(each))).size).toBe(9);
  for (const form of forms)
    expect(Check(writeFile.arguments, form), JSON.stringify(form)).toBe(true);
  expect(forms).toContainEqual({ path: "/a/b", content: "\ufeffhällo\r\n" });
});

test("what is no text can only have been written as bytes", () => {
  const forms = writtenArguments("/a/b", new Uint8Array([0xff, 0xfe]));
  expect(forms.map(({ content }) => content)).toEqual(Array(3).fill("//4="));
});
