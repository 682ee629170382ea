import { expect, it } from "vitest";
import { catalogueEntry } from "../catalogue.ts";
import type { JsonObject } from "../json.ts";
import { violationOf } from "../json-schema/schema-violation.ts";
import { fetchUrl } from "./fetch-url.ts";

const accepts = (args: JsonObject): boolean | undefined =>
  catalogueEntry("fetch_url")?.acceptsArguments(args);

const url = "https://example.com/";

it.each<[JsonObject]>([
  [{ url }],
  [{ url, method: "GET", headers: {} }],
  [{ url, method: "HEAD", headers: { Accept: "text/html", "x-api-key": "k\tk" } }],
  [{ url, method: "POST" }],
  [{ url, method: "POST", body: "ž", headers: { Authorization: "Bearer x", hosts: "" } }],
])("takes %j", (args) => {
  expect(accepts(args)).toBe(true);
});

it.each<[JsonObject]>([
  [{}],
  [{ url: "" }],
  [{ url: "x".repeat(4097) }],
  [{ url, method: "PUT" }],
  [{ url, method: "get" }],
  [{ url, body: "x" }],
  [{ url, method: "HEAD", body: "x" }],
  [{ url, method: "POST", body: {} }],
  [{ url, timeout: 1 }],
  [{ url, headers: { a: 1 } }],
  [{ url, headers: { a: "x".repeat(4097) } }],
  [{ url, headers: { [`x${"x".repeat(64)}`]: "" } }],
  [{ url, headers: Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`x${n}`, ""])) }],
])("refuses %j", (args) => {
  expect(accepts(args)).toBe(false);
});

it.each([
  ...["Host", "cookie", "COOKIE", "Cookie2", "Content-Length", "Transfer-Encoding", "Connection"],
  ...["Keep-Alive", "Proxy-Authorization", "Proxy-Connection", "TE", "Trailer", "Upgrade", "Via"],
  ...["Expect", "Accept-Encoding", "", " ", "a b", "a:", "host ", "a\r\nhost", "ž", ":path"],
])("lets nobody set the field %j", (name) => {
  expect(accepts({ url, headers: { [name]: "x" } })).toBe(false);
});

it.each(["a\r\nhost: x", "a\n", "\0", "ž", "\x7f"])(
  "lets nobody write %j into a field",
  (value) => {
    expect(accepts({ url, headers: { accept: value } })).toBe(false);
  },
);

it.each(["example.com", "no url", "http://", "https://[::1", "http://a b/", "//example.com", "?q"])(
  "says that %j is no URL, and where it stands",
  (text) => {
    for (const more of [{}, { method: "POST", body: "" }]) {
      const args = { url: text, ...more };
      expect(accepts(args)).toBe(false);
      expect(violationOf(fetchUrl.arguments, args)).toEqual({ pointer: "/url", keyword: "format" });
    }
  },
);

it.each([
  "https://müller.example/ä?ö#ü",
  "http://0x7f.1/",
  "HTTP://EXAMPLE.COM",
  "ftp://a/",
  "a:b",
])("leaves to the tool what it thinks of the URL %j", (text) => {
  expect(accepts({ url: text })).toBe(true);
});

it("tells agents its schema in JSON, without what only this program can check", () => {
  expect(JSON.stringify(fetchUrl.arguments)).not.toContain("refine");
});
