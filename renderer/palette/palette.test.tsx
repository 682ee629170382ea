// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import type { Snapshot } from "../../app/bridge/views.ts";
import { sampleAgent } from "../agents/testing/sample-agent.ts";
import { cardOf } from "../consent/testing/drawn-card.tsx";
import { HostProvider } from "../host-context.tsx";
import { LanguageProvider } from "../language.tsx";
import { createShownStore, received } from "../state/store.ts";
import { Palette } from "./palette.tsx";

afterEach(cleanup);

function drawPalette(waits: boolean) {
  const bridge = { call: vi.fn(async () => null) };
  const store = createShownStore("connected");
  const { agent_id, petname, key_mark, name_mark, name_is_shared, agent_name: name } = cardOf();
  const { rules, grants } = sampleAgent;
  const agent = { agent_id, name, petname, key_mark, name_mark, name_is_shared, rules, grants };
  const settings = { language: null, theme: "system", profile: "everyday" };
  store.setState({
    snapshot: { paused: false, settings, agents: [agent] } as unknown as Snapshot,
    consents: waits ? received([cardOf()], 0) : [],
  });
  const ways = { onOpen: vi.fn(), onLeave: vi.fn(), showRequests: vi.fn() };
  render(
    <HostProvider bridge={bridge as unknown as ClientBridge} store={store}>
      <LanguageProvider language="en">
        <Palette {...ways} />
      </LanguageProvider>
    </HostProvider>,
  );
  fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
  return { bridge, ...ways };
}

const offered = () => screen.getAllByTestId("palette-command").map((each) => each.textContent);

async function find(text: string): Promise<void> {
  await act(async () => {
    fireEvent.change(screen.getByTestId("palette-find"), { target: { value: text } });
  });
}

async function choose(label: string): Promise<void> {
  await act(async () => fireEvent.click(screen.getByText(label)));
}

test("offers pages, pausing, the other profiles and themes, agents by name, and nothing that answers", () => {
  const { onOpen } = drawPalette(true);
  expect(onOpen).toHaveBeenCalledOnce();
  expect(offered()).toEqual([
    "Go to the requests that waitF6",
    "Pause all agents",
    "What is asked: Ask everything",
    "What is asked: Hands off",
    ...["Home", "Conversations", "Agents", "Permissions", "Activity", "Settings"],
    "Connect an agent",
    "Appearance: Light",
    "Appearance: Dark",
    "Agent: Notes",
    "Rule: Deny · Run a command · Commands that begin with: /usr/bin/git log",
  ]);
});

test("typing leaves what contains it, in any case, and says where nothing does", async () => {
  drawPalette(false);
  expect(offered()).not.toContain("Go to the requests that waitF6");
  await find("hands");
  expect(offered()).toEqual(["What is asked: Hands off"]);
  await find("hands off ");
  expect(offered()).toEqual(["What is asked: Hands off"]);
  await find("zzz");
  expect(screen.getByText("No command has this in its name.")).toBeTruthy();
});

test("a rule is found by what it is about, and leads to where it can be changed", async () => {
  drawPalette(false);
  await find("git log");
  await choose("Rule: Deny · Run a command · Commands that begin with: /usr/bin/git log");
  const query = new URLSearchParams(window.location.hash.split("?")[1]);
  expect(window.location.hash.startsWith("#/permissions?")).toBe(true);
  expect(query.get("find")).toBe("Commands that begin with: /usr/bin/git log");
});

test("a command is carried out and closes it", async () => {
  const { bridge, onLeave } = drawPalette(false);
  await choose("What is asked: Hands off");
  expect(bridge.call.mock.calls).toEqual([["profile.set", { profile: "hands_off" }]]);
  expect(screen.queryByTestId("palette")).toBe(null);
  expect(onLeave).not.toHaveBeenCalled();
});

test("leads to the requests that wait, and leaves them to the person", async () => {
  const { bridge, showRequests } = drawPalette(true);
  await choose("Go to the requests that wait");
  expect(showRequests).toHaveBeenCalledOnce();
  expect(bridge.call).not.toHaveBeenCalled();
});

test("left without a command, it says so, so that what it covered comes back", async () => {
  const { bridge, onLeave } = drawPalette(true);
  await act(async () => fireEvent.keyDown(screen.getByTestId("palette-find"), { key: "Escape" }));
  expect(onLeave).toHaveBeenCalledOnce();
  expect(bridge.call).not.toHaveBeenCalled();
});
