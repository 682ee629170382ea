import { expect, test } from "vitest";
import { CALLS, CONSENT_WINDOW_CALLS } from "../../app/bridge/calls.ts";
import { CALLS_OF, PAGE_URLS, type SenderFacts, senderKind, type WindowKind } from "./app-pages.ts";

const windows = new Map<number, WindowKind>([
  [1, "main"],
  [2, "consent"],
]);

test("the main frame of a window of ours, showing its page, is that window", () => {
  const main = { contentsId: 1, frame: { url: PAGE_URLS.main, isMainFrame: true } };
  const consent = { contentsId: 2, frame: { url: PAGE_URLS.consent, isMainFrame: true } };
  expect(senderKind(main, windows)).toBe("main");
  expect(senderKind(consent, windows)).toBe("consent");
});

test.each<[string, SenderFacts]>([
  ["other web contents", { contentsId: 3, frame: { url: PAGE_URLS.main, isMainFrame: true } }],
  ["a frame inside", { contentsId: 1, frame: { url: PAGE_URLS.main, isMainFrame: false } }],
  ["a frame already gone", { contentsId: 1, frame: null }],
  [
    "a window that was led elsewhere",
    { contentsId: 1, frame: { url: "https://evil.example/index.html", isMainFrame: true } },
  ],
  [
    "the consent window showing the main page",
    { contentsId: 2, frame: { url: PAGE_URLS.main, isMainFrame: true } },
  ],
])("%s is nobody", (_who, sender) => {
  expect(senderKind(sender, windows)).toBeNull();
});

test("the consent window has its own few calls; the main window all but a browser page's", () => {
  expect(CALLS_OF.consent).toEqual(CONSENT_WINDOW_CALLS);
  const missing = Object.keys(CALLS).filter((name) => !CALLS_OF.main.some((each) => each === name));
  expect(missing).toEqual(["page.answer", "page.abilities", "page.attended"]);
});
