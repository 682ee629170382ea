import { expect, test } from "vitest";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import { ManualTime } from "../../app/contract/testing/manual-time.ts";
import type { NotificationService, NotificationText } from "../tools/platform/platform-services.ts";
import { PAGE_BACK_MS, tellWaiting } from "./tell-waiting.ts";
import { fakeProgram } from "./testing/fake-program.ts";
import { startTestHost, tokenOf } from "./testing/running-host.ts";
import { openPage } from "./testing/test-page.ts";

function told(options: { readonly wanted?: boolean; readonly notifies?: boolean } = {}) {
  const { wanted = true, notifies = true } = options;
  const fake = fakeProgram();
  fake.answerWith(() => ({
    ok: true,
    result: {
      consents: [],
      settings: { language: null, consent_timeout_ms: 30_000, notifications: wanted },
    },
  }));
  const time = new ManualTime();
  const ended = new AbortController();
  const shown: NotificationText[] = [];
  const service: NotificationService = {
    show: async (notification) => void shown.push(notification),
  };
  let lines = 0;
  const teller = tellWaiting({
    program: fake.program,
    scheduler: time,
    notifications: () => (notifies ? service : null),
    say: () => {
      lines += 1;
    },
    signal: ended.signal,
  });
  const ask = async (...ids: readonly string[]): Promise<void> => {
    fake.emit("consents.changed", ids.map(card));
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return { time, teller, ask, ended, shown, lines: () => lines };
}

/** The only part of a card that is used. */
const card = (request_id: string) =>
  ({
    request_id,
    folded: request_id.startsWith("folded") ? Number(request_id.slice(6)) : 0,
    agent_id: "a",
    agent_name: "Ada",
    petname: null,
    name_is_shared: false,
    name_mark: null,
    tool_name: "read_file",
    conversation_id: "c",
    arguments: { path: "/secret" },
  }) as unknown as ConsentCard;

test("with no page open a request is told of on the terminal once, and each by the system", async () => {
  const { ask, shown, lines } = told();
  await ask("one");
  await ask("one", "two");
  expect(lines()).toBe(1);
  expect(shown.map(({ title, body }) => [title, body])).toEqual([
    ["Ada", "read_file"],
    ["Ada", "read_file"],
  ]);
  expect(JSON.stringify(shown)).not.toContain("secret");
  await ask();
  await ask("three");
  expect([lines(), shown.length]).toEqual([2, 3]);
});

test("with no page open a flood is told of in one, and is no new line each time", async () => {
  const { ask, shown, lines } = told();
  await ask("one");
  for (const id of ["folded1", "folded2", "folded3"]) {
    await ask(id);
    await ask();
  }
  expect(lines()).toBe(1);
  expect(shown.slice(1).map(({ folded, replaces }) => [folded, replaces])).toEqual([
    [1, "folded:a"],
    [2, "folded:a"],
    [3, "folded:a"],
  ]);
});

test("a page that is open tells of them itself", async () => {
  const { teller, ask, shown, lines } = told();
  teller.pageOpened();
  await ask("one");
  expect([lines(), shown.length]).toEqual([0, 0]);
});

test("a page that is closed over a request is missed, one that is loaded again is not", async () => {
  const { time, teller, ask, ended, lines } = told();
  teller.pageOpened();
  await ask("one");
  teller.pageLeft();
  time.pass(PAGE_BACK_MS - 1);
  teller.pageOpened();
  time.pass(PAGE_BACK_MS);
  expect(lines()).toBe(0);
  teller.pageLeft();
  time.pass(PAGE_BACK_MS);
  expect(lines()).toBe(1);
  teller.pageOpened();
  teller.pageLeft();
  ended.abort();
  time.pass(PAGE_BACK_MS);
  expect([lines(), time.pending]).toEqual([1, 0]);
});

test("notifications that the person does not want or the system has not leave the line", async () => {
  const unwanted = told({ wanted: false });
  await unwanted.ask("one");
  const none = told({ notifies: false });
  await none.ask("one");
  expect([unwanted.shown.length, unwanted.lines(), none.lines()]).toEqual([0, 1, 1]);
});

test("the terminal's line has an address that opens a page", async () => {
  const host = await startTestHost();
  const page = await host.enter();
  host.fake.emit("consents.changed", [card("one")]);
  await page.leave();
  await expect
    .poll(() => {
      host.time.pass(PAGE_BACK_MS);
      return host.said;
    })
    .toHaveLength(1);
  const next = await openPage(host.port);
  next.send({ type: "hello", token: tokenOf(host.said[0]?.split(" ").at(-1) ?? "") });
  expect(await next.next()).toMatchObject({ type: "welcome" });
  await host.close();
});
