import { expect, it } from "vitest";
import { bodyText } from "./request.ts";

const UTF8 = Buffer.from("žluťoučký 🐎");
const LATIN = Buffer.from([0x63, 0x61, 0x66, 0xe9]);

it.each([
  undefined,
  "text/html",
  "text/html; charset=utf-8",
  'text/html;x=y;CHARSET="UTF-8"',
  "text/html; charset=utf8",
])("gives text where the type is %s and the bytes are UTF-8", (type) => {
  expect(bodyText(UTF8, type)).toEqual({ body: "žluťoučký 🐎", body_encoding: "utf-8" });
});

it.each(["text/html; charset=utf-8", "text/plain", undefined])(
  "replaces no byte that is not UTF-8: %s",
  (type) => {
    for (const bytes of [LATIN, Buffer.from([0xed, 0xa0, 0x80]), Buffer.from([0xc0, 0x80])]) {
      expect(bodyText(bytes, type)).toEqual({
        body: bytes.toString("base64"),
        body_encoding: "base64",
      });
    }
  },
);

it.each(["text/html; charset=iso-8859-2", "text/html; charset=", "a/b;charset='utf-8'"])(
  "believes a type that says it is something else: %s",
  (type) => {
    expect(bodyText(Buffer.from("plain"), type).body_encoding).toBe("base64");
  },
);

it("keeps a byte order mark and an empty body", () => {
  expect(bodyText(Buffer.from("\ufeffx"), undefined).body).toBe("\ufeffx");
  expect(bodyText(Buffer.alloc(0), undefined)).toEqual({ body: "", body_encoding: "utf-8" });
});
