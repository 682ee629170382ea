import { expect, test } from "vitest";
import { IMPORT_LINK } from "../../app/contract/own-data.ts";
import { PAGES } from "../../renderer/parts/navigation.tsx";
import { isLink, LINKED_PAGES, linkedPlace } from "./app-pages.ts";

test("a link opens any of the pages there are", () => {
  expect([...LINKED_PAGES].toSorted()).toEqual([...PAGES].toSorted());
  expect(linkedPlace("consentry://open/activity")).toBe("#/activity");
  expect(linkedPlace("consentry:open/settings/")).toBe("#/settings");
  expect(linkedPlace(IMPORT_LINK)).toBe("#/settings?import");
});

test("an agent's link puts its id into the field, however it is written", () => {
  expect(linkedPlace("consentry:agent/ag_1-x")).toBe("#/agents?add=ag_1-x");
  expect(linkedPlace("consentry://agent/ag_1-x")).toBe("#/agents?add=ag_1-x");
});

test.each([
  "consentry://open/consent",
  "consentry://open/settings?hub=https://evil.example",
  "consentry://open/agents#add",
  "consentry://open/../../etc",
  "consentry://hub/https://evil.example",
  "consentry://agent/a?grant=files:read",
  "consentry://agent/a&scopes=all",
  "consentry://agent/a/accept",
  "consentry://agent/a%20b",
  `consentry:agent/${"a".repeat(129)}`,
  "consentry://app/index.html#/settings",
  "consentry://app/consent.html",
  "consentry://run/run_command?command=id",
  "consentry:",
  "https://example.org/open/home",
  "CONSENTRY://open/home",
  "consentry://open/home\n--data-dir",
])("%j leads nowhere", (link) => {
  expect(linkedPlace(link)).toBeNull();
});

test("what begins with the scheme is a link, whatever it says", () => {
  expect(isLink("consentry://nonsense")).toBe(true);
  expect(isLink("--data-dir")).toBe(false);
});
