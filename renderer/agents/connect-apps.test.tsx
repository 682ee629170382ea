// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { bridgeError } from "../../app/bridge/client-bridge.ts";
import type { AppView } from "../../app/bridge/connected-apps.ts";
import { LANGUAGES, type Language } from "../../app/contract/settings.ts";
import { KNOWN_APPS } from "../../main/connected-apps/known-apps.ts";
import { Palette } from "../palette/palette.tsx";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { ConnectApps } from "./connect-apps.tsx";

afterEach(cleanup);

const GOES_ON = {
  en: "goes on without asking",
  de: "ohne zu fragen",
  "zh-CN": "继续运行而不询问",
};

const NOTES = {
  goes_on: GOES_ON,
  trust_first: { en: "until you trust it there", de: "dort vertrauen", "zh-CN": "直到你信任它" },
  newer_only: { en: "ignores the answer", de: "beachtet die Antwort", "zh-CN": "不理会回答" },
} as const;
const NOTE_NAMES = Object.keys(NOTES) as (keyof typeof NOTES)[];

const UNUSABLE = {
  en: "has a space or special character",
  de: "enthält ein Leer- oder Sonderzeichen",
  "zh-CN": "含有空格或特殊字符",
};

const apps = Object.entries(KNOWN_APPS).map(([app_id, { name, hook }]) => {
  const part = { file: "/f", state: "not_connected" };
  return {
    app_id,
    name,
    tools: part,
    hook: hook === undefined ? null : { ...part, notes: hook.notes },
  } as AppView;
});

function draw(
  call: (name: string, args: object) => Promise<unknown>,
  language: Language = "en",
): void {
  drawInHost(
    <ConnectApps>
      <p>what follows</p>
    </ConnectApps>,
    { call, language },
  );
}

test.each(LANGUAGES)(
  "in %s, what a person must know about an app's hook is said, and of no other app",
  async (language) => {
    draw(async () => apps, language);
    for (const [app_id, { name, hook }] of Object.entries(KNOWN_APPS)) {
      const row = await screen.findByTestId(`app-${app_id}`);
      const said = NOTE_NAMES.filter((note) => row.textContent?.includes(NOTES[note][language]));
      expect([name, said]).toEqual([name, hook?.notes ?? []]);
    }
  },
);

test.each(
  LANGUAGES.flatMap((language) => [
    [language, "path_unusable", []] as const,
    [language, "not_renewable", ["disconnect-gemini-hook"]] as const,
  ]),
)(
  "in %s, a hook that could not be started is said to be, and not offered: %s",
  async (language, state, offered) => {
    const [app] = apps.filter(({ app_id }) => app_id === "gemini");
    const unusable = { file: "/f", state, notes: ["goes_on"] };
    draw(async () => [{ ...app, hook: unusable }], language);
    const row = await screen.findByTestId("app-gemini-hook");
    expect(row.textContent).toContain(UNUSABLE[language]);
    const buttons = within(row).queryAllByRole("button");
    expect(buttons.map(({ dataset }) => dataset.testid)).toEqual(offered);
    expect(row.textContent?.includes(GOES_ON[language])).toBe(offered.length > 0);
  },
);

test.each([
  ["connected", ["disconnect"]],
  ["changed", ["connect", "disconnect"]],
  ["not_ours", ["connect", "disconnect"]],
  ["removed", ["connect", "forget"]],
  ["unreadable", []],
  ["not_editable", []],
] as const)("of an app whose entry is %s, this is offered: %j", async (state, offered) => {
  const app = apps.find(({ app_id }) => app_id === "codex");
  draw(async () => [{ ...app, hook: null, tools: { file: "/f", state } }]);
  const row = await screen.findByTestId("app-codex-tools");
  expect(
    within(row)
      .queryAllByRole("button")
      .map(({ dataset }) => dataset.testid),
  ).toEqual(offered.map((word) => `${word}-codex-tools`));
});

test("an entry that is gone is forgotten at once: there is no change to look at", async () => {
  const app = apps.find(({ app_id }) => app_id === "cursor");
  const tools = { file: "/f", state: "removed" };
  const answers: Record<string, unknown> = {
    "apps.list": [{ ...app, hook: null, tools }],
    "apps.change": { app_id: "cursor", part: "tools", file: "/f", hunks: [], digest: "d" },
  };
  const asked: unknown[] = [];
  draw(async (name, args) => {
    if (name !== "apps.apply") return answers[name];
    asked.push(args);
    answers["apps.list"] = [];
    return null;
  });
  fireEvent.click(await screen.findByTestId("forget-cursor-tools"));
  await vi.waitFor(() => expect(screen.queryByTestId("app-cursor")).toBeNull());
  expect(asked).toEqual([{ app_id: "cursor", part: "tools", connect: false, digest: "d" }]);
});

test.each([
  ["found", () => Promise.resolve(apps)],
  ["could not look", () => Promise.reject(bridgeError("internal_error"))],
])("nothing moves down: what follows is drawn when the host has %s", async (_, answer) => {
  let answered = (): void => {};
  draw(() => new Promise((resolve) => (answered = () => resolve(answer()))));
  expect(screen.queryByText("what follows")).toBeNull();
  answered();
  await screen.findByText("what follows");
  screen.getByTestId("connect-apps");
});

test("the keyboard stays in the section once an app was connected", async () => {
  const { promise: written, resolve: write } = Promise.withResolvers<null>();
  const app = apps.find(({ app_id }) => app_id === "codex");
  if (app === undefined) throw new Error("the app is known");
  let state = "not_connected";
  draw(async (name) => {
    if (name === "apps.apply") return written;
    if (name === "apps.change") return { app_id: "codex", part: "tools", file: "/f", hunks: [] };
    return [{ ...app, hook: null, tools: { file: "/f", state } }];
  });
  const connect = await screen.findByTestId("connect-codex-tools");
  connect.focus();
  fireEvent.click(connect);
  fireEvent.click(await screen.findByTestId("app-change-write"));
  await vi.waitFor(() => expect(document.activeElement).toBe(connect));
  state = "connected";
  await act(async () => write(null));
  await screen.findByTestId("disconnect-codex-tools");
  expect(document.activeElement).toBe(screen.getByTestId("connect-apps"));
});

test("the palette's command brings the keyboard to the section, each time", async () => {
  drawInHost(
    <>
      <button type="button">elsewhere</button>
      <Palette onOpen={() => undefined} onLeave={() => undefined} showRequests={() => undefined} />
      <ConnectApps>{null}</ConnectApps>
    </>,
    {
      call: async () => apps,
      snapshot: { paused: false, settings: { theme: "system", profile: "everyday" }, agents: [] },
    },
  );
  const section = await screen.findByTestId("connect-apps");
  for (let time = 0; time < 2; time += 1) {
    screen.getByText("elsewhere").focus();
    fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
    await act(async () => void fireEvent.click(screen.getByText("Connect an agent")));
    await vi.waitFor(() => expect(document.activeElement).toBe(section));
    await vi.waitFor(() => expect(window.location.hash).toBe("#/agents"));
  }
});
