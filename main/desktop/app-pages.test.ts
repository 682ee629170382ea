import { expect, test } from "vitest";
import { appPathOf, isPageOf, PAGE_URLS } from "./app-pages.ts";

test("a window's own page is its page, whatever its fragment or query", () => {
  expect(isPageOf("main", PAGE_URLS.main)).toBe(true);
  expect(isPageOf("main", `${PAGE_URLS.main}?lang=en#activity`)).toBe(true);
  expect(isPageOf("consent", PAGE_URLS.consent)).toBe(true);
});

test.each([
  PAGE_URLS.consent,
  "",
  "about:blank",
  "consentry://app/",
  "consentry://app/index.html/..",
  "consentry://evil/index.html",
  "consentry://app.evil/index.html",
  "consentry://app:81/index.html",
  "consentry://user@app/index.html",
  "https://app/index.html",
  "file:///index.html",
  "data:text/html,consentry://app/index.html",
])("%j is not the main window's page", (url) => {
  expect(isPageOf("main", url)).toBe(false);
});

test("only addresses of our host name a file", () => {
  expect(appPathOf("consentry://app/assets/x.js?v")).toBe("/assets/x.js");
  expect(appPathOf("consentry://other/index.html")).toBeNull();
  expect(appPathOf("https://app/index.html")).toBeNull();
  expect(appPathOf("not an address")).toBeNull();
});

test("a path cannot climb out of its address", () => {
  expect(appPathOf("consentry://app/../../etc/passwd")).toBe("/etc/passwd");
});
