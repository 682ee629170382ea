import { expect, test } from "vitest";
import { LIMITS } from "../../../app/contract/limits.ts";
import { createI18n } from "../../../i18n/index.ts";
import { sendNotificationTool } from "../send-notification.ts";
import { toolContext } from "../testing/tool-context.ts";
import { foldNotifications, NOTIFICATIONS_WITHIN_MS } from "./notification-fold.ts";
import { NO_SERVICES, type NotificationText } from "./platform-services.ts";

function foldingAt() {
  const clock = { now: 0 };
  return { clock, folding: foldNotifications(() => clock.now) };
}

test("so many a minute are shown, every further one is only counted", () => {
  const { folding } = foldingAt();
  const counts = Array.from({ length: LIMITS.notificationsPerMinute + 3 }, () =>
    folding.folded("a"),
  );
  expect(counts).toEqual([0, 0, 0, 0, 0, 1, 2, 3]);
});

test("the minute slides: each place is free again a minute after it was taken", () => {
  const { clock, folding } = foldingAt();
  for (let n = 0; n < LIMITS.notificationsPerMinute; n += 1) {
    clock.now = n * 1000;
    expect(folding.folded("a")).toBe(0);
  }
  clock.now = NOTIFICATIONS_WITHIN_MS - 1;
  expect(folding.folded("a")).toBe(1);
  clock.now = NOTIFICATIONS_WITHIN_MS;
  expect(folding.folded("a")).toBe(0);
  expect(folding.folded("a")).toBe(1);
  clock.now = NOTIFICATIONS_WITHIN_MS + 1000;
  expect(folding.folded("a")).toBe(0);
});

test("one agent's flood costs no other agent a place", () => {
  const { folding } = foldingAt();
  for (let n = 0; n < 1000; n += 1) folding.folded("loud");
  expect(folding.folded("quiet")).toBe(0);
});

test("a flood is five notifications and one that says how many more, in the person's words", async () => {
  const shown: NotificationText[] = [];
  const show = async (text: NotificationText) => void shown.push(text);
  const tool = sendNotificationTool({
    wanted: () => true,
    label: () => null,
    platform: { ...NO_SERVICES, notifications: () => ({ show }) },
    folding: foldNotifications(() => 0),
    texts: () => createI18n("zh-CN").t,
  });
  const context = toolContext({ agent_id: "a1", agent_name: "Mail\u202e", conversation_id: "c1" });
  const results = [];
  for (let n = 0; n < 7; n += 1)
    results.push(await tool.run({ title: `n${n}`, body: "b" }, context));
  expect(results.slice(4)).toEqual([
    { shown: true, folded: false },
    { shown: true, folded: true },
    { shown: true, folded: true },
  ]);
  expect(shown.slice(0, 5).every(({ replaces }) => replaces === null)).toBe(true);
  const last = shown.at(-1);
  expect(last).toEqual({
    title: "Mail\\u{202e}",
    body: "一分钟内还有 2 条通知",
    agentName: "Mail\\u{202e}",
    agentId: "a1",
    conversationId: "c1",
    replaces: shown.at(-2)?.replaces,
    folded: 2,
  });
  expect(JSON.stringify(last)).not.toContain("n6");
});
