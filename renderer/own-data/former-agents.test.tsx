// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { bridgeError } from "../../app/bridge/client-bridge.ts";
import type { FormerAgent } from "../../app/contract/own-data.ts";
import { sampleAgent } from "../agents/testing/sample-agent.ts";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { FormerAgents } from "./former-agents.tsx";

afterEach(cleanup);

const [rule] = sampleAgent.rules;
if (rule === undefined) throw new Error("the sample has a rule");
const { covers, subject, effect, ends_at } = rule;
const FORMER: FormerAgent = {
  former_id: "former-1",
  name: "Before",
  petname: null,
  scopes: [],
  roots: [{ path: "/home/me/Notes", access: "read" }],
  hosts: [],
  rules: [{ covers, subject, effect, ends_at }],
};

function drawPage(call: (name: string) => Promise<unknown>, agents = [sampleAgent]) {
  const { store } = drawInHost(<FormerAgents />, { call, snapshot: { agents } });
  return store;
}

async function drawList(left_out: number, former = FORMER, agent = sampleAgent) {
  const asked: string[] = [];
  drawPage(
    async (name) => {
      asked.push(name);
      if (name === "rules.import") return { added: 1 - left_out, kept: 0, left_out };
      return name === "data.former" ? [former] : null;
    },
    [agent],
  );
  await press(await screen.findByTestId("former-give"));
  await chooseAgent();
  return { given: () => asked.filter((name) => name !== "data.former") };
}

const press = (element: Element) =>
  act(async () => {
    fireEvent.click(element);
  });
const chooseAgent = () =>
  act(async () => {
    const agents = screen.getByTestId("former-agent-choice").querySelector("select");
    fireEvent.change(agents as HTMLSelectElement, { target: { value: sampleAgent.agent_id } });
  });
const cancel = () => press(screen.getByRole("button", { name: "Cancel" }));
const give = () => press(screen.getByTestId("former-confirm"));
const said = () => screen.getByTestId("former-left-out").textContent;

test("the dialog names the listed agent, and can be cancelled before an agent is chosen", async () => {
  drawPage(async () => [{ ...FORMER, petname: "Mine\u202e" }]);
  await press(await screen.findByTestId("former-give"));
  const name = "Give the permissions that Mine\\u{202e} had";
  expect(screen.getByRole("dialog", { name })).toBeTruthy();
  await cancel();
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("where the agent could be given nothing, that is said, and the dialog can be cancelled", async () => {
  const { given } = await drawList(0, { ...FORMER, roots: [], rules: [] });
  expect(screen.getByRole("dialog").textContent).toContain("nothing in the list");
  await cancel();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(given()).toEqual([]);
});

test("without an agent it is said why nothing can be given", async () => {
  drawPage(async () => [FORMER], []);
  const button = await screen.findByTestId("former-give");
  expect(button.hasAttribute("disabled")).toBe(true);
  expect(screen.getByTestId("former-agents").textContent).toContain("No agent is connected yet.");
});

test("once an agent has everything, the list is forgotten", async () => {
  const { given } = await drawList(0);
  await give();
  expect(given()).toEqual(["permissions.add_root", "rules.import", "data.former_forget"]);
});

test("a permission that the agent cannot have stays in the list", async () => {
  const { given } = await drawList(0, { ...FORMER, scopes: ["command:execute"] });
  await give();
  expect(given()).toEqual(["permissions.add_root", "rules.import"]);
});

test("an agent with hooks is given no folders, which would not limit it, and they stay in the list", async () => {
  const { given } = await drawList(0, FORMER, { ...sampleAgent, delivery: "hook" });
  expect(screen.queryByTestId("former-item-root")).toBeNull();
  await give();
  expect(given()).toEqual(["rules.import"]);
});

test("an agent that a policy does not allow is given no permissions, and they stay in the list", async () => {
  const former = { ...FORMER, scopes: ["network:http"] };
  const { given } = await drawList(0, former, { ...sampleAgent, not_allowed: true });
  expect(screen.queryByTestId("former-item-scope")).toBeNull();
  await give();
  expect(given()).toEqual(["permissions.add_root", "rules.import"]);
});

test("what was not ticked stays in the list", async () => {
  const { given } = await drawList(0);
  const tick = screen.getByTestId("former-item-root");
  await press(tick.querySelector("input") ?? tick);
  await give();
  expect(given()).toEqual(["rules.import"]);
  expect(said()).toBe("");
});

test("rules that do not fit the agent stay in the list, and it is said how many", async () => {
  const { given } = await drawList(1);
  await give();
  expect(given()).toEqual(["permissions.add_root", "rules.import"]);
  expect(said()).toBe(
    "1 rule was not given: it does not fit that agent, or the agent has a stricter one.",
  );
});

test("the keyboard goes on in the list when one is forgotten", async () => {
  const agents = [FORMER, { ...FORMER, former_id: "former-2" }];
  drawPage(async (name) => {
    if (name === "data.former_forget") agents.shift();
    return name === "data.former" ? [...agents] : null;
  });
  const [first, second] = await screen.findAllByTestId("former-forget");
  if (first === undefined || second === undefined) throw new Error("two lists were drawn");
  first.focus();
  await press(first);
  expect(first.isConnected).toBe(false);
  expect(document.activeElement).toBe(second);
});

test("the lists stay while nobody answers, and are read again at the next connection", async () => {
  const call = vi.fn().mockResolvedValueOnce([FORMER]);
  const store = drawPage(call);
  const names = () => screen.getAllByTestId("former-agent").map((row) => row.textContent);
  expect(await screen.findByText("Before")).toBeTruthy();
  call.mockRejectedValueOnce(bridgeError("disconnected"));
  await act(async () => store.setState({ connection: "disconnected" }));
  expect(names()).toEqual([expect.stringContaining("Before")]);
  call.mockResolvedValueOnce([{ ...FORMER, name: "Since" }]);
  await act(async () => store.setState({ connection: "connected" }));
  expect(names()).toEqual([expect.stringContaining("Since")]);
});
