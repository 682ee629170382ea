import { expect, test } from "vitest";
import { systemTexts } from "../client/bridge/host-state.ts";
import { CALLS_IN_TRAY, type TrayCall, type TrayState, trayMenu, withCall } from "./tray-menu.ts";

const t = systemTexts("en");
const call = (line_id: number, more: Partial<TrayCall> = {}): TrayCall => ({
  line_id,
  agent_name: "Ada",
  tool_name: "read_file",
  status: "ok",
  ...more,
});

function menuFor(state: Partial<TrayState>) {
  const done: string[] = [];
  const note = (what: string) => () => void done.push(what);
  const items = trayMenu(
    t,
    { paused: false, profile: "everyday", waiting: 0, calls: [], agents: [], ...state },
    {
      open: note("open"),
      bringUp: note("bringUp"),
      openActivity: note("openActivity"),
      pause: (paused) => void done.push(`pause ${paused}`),
      chooseProfile: (profile) => void done.push(profile),
      suspend: (agentId, suspended) => void done.push(`suspend ${agentId} ${suspended}`),
      quit: note("quit"),
    },
  );
  const labels = items.flatMap(({ label }) => label ?? []);
  return { items, labels, done };
}

test("with nothing waiting and nothing logged it opens, pauses and quits", () => {
  const { labels, items, done } = menuFor({});
  expect(labels).toEqual(["Open Consentry", "Pause all agents", "What is asked", "Quit Consentry"]);
  for (const { click } of items) click?.();
  expect(done).toEqual(["open", "pause true", "quit"]);
});

test("it begins with how many requests wait, and leads to them; none can be answered from it", () => {
  const { labels, items, done } = menuFor({ waiting: 2, paused: true });
  expect(labels).toEqual([
    "2 requests are waiting for your answer",
    "Open Consentry",
    "Resume all agents",
    "What is asked",
    "Quit Consentry",
  ]);
  items[0]?.click?.();
  expect(done).toEqual(["bringUp"]);
});

test("the profile is one of three, and the present one is checked", () => {
  const { items, done } = menuFor({ profile: "hands_off" });
  const choices = items.find(({ label }) => label === "What is asked")?.submenu ?? [];
  expect(choices.map(({ label, checked }) => [label, checked])).toEqual([
    ["Ask everything", false],
    ["Everyday", false],
    ["Hands off", true],
  ]);
  choices[0]?.click?.();
  expect(done).toEqual(["ask_everything"]);
});

test("the last calls are told by agent, tool and outcome, without marks of the menu's own", () => {
  const calls = [call(2, { status: "denied", agent_name: "A&B\u202e" }), call(1)];
  const { items } = menuFor({ calls });
  const last = items.find(({ submenu }) => submenu !== undefined);
  expect(last?.label).toBe("Recent calls");
  const [first, second] = last?.submenu ?? [];
  expect(first?.label).toMatch(/^A&&B.* · read_file: Denied$/);
  expect(first?.label).not.toContain("\u202e");
  expect(second?.label).toBe("Ada · read_file: Done");
});

test("a long name is cut", () => {
  const { items } = menuFor({ calls: [call(1, { agent_name: "x".repeat(500) })] });
  const label = items.find(({ submenu }) => submenu)?.submenu?.[0]?.label ?? "";
  expect(label.length).toBeLessThan(80);
});

test("a call that goes on is listed once, and only the newest are kept, in their order", () => {
  let calls: readonly TrayCall[] = [];
  for (const id of [1, 2, 3, 4, 5, 6]) calls = withCall(calls, call(id, { status: "running" }));
  calls = withCall(calls, call(4, { status: "ok" }));
  expect(calls.map(({ line_id }) => line_id)).toEqual([6, 5, 4, 3, 2]);
  expect(calls[2]?.status).toBe("ok");
  expect(calls).toHaveLength(CALLS_IN_TRAY);
});
