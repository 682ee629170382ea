// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { ConversationView } from "../../../app/bridge/conversation-views.ts";
import { sampleAgent } from "../../agents/testing/sample-agent.ts";
import { drawInHost } from "../../testing/draw-in-host.tsx";
import { NewGroup } from "./new-group.tsx";

afterEach(cleanup);

const DIRECT = {
  kind: "direct",
  relation: "active",
  offers: { groups: true },
  agent_ids: [sampleAgent.agent_id],
} as unknown as ConversationView;

test("while a group is being made the keyboard stays on its button, and it is made once", async () => {
  const call = vi.fn(() => new Promise(() => undefined));
  const { store } = drawInHost(<NewGroup onMade={() => undefined} />, {
    call,
    snapshot: { agents: [sampleAgent] },
  });
  act(() => store.setState({ conversations: [DIRECT] }));
  const press = (element: Element) => act(async () => void fireEvent.click(element));
  await press(screen.getByTestId("new-group"));
  const tick = screen.getByTestId(`group-agent-${sampleAgent.agent_id}`);
  await press(tick.querySelector("input") ?? tick);
  const make = screen.getByTestId<HTMLButtonElement>("new-group-make");
  const form = make.closest("form");
  await press(make);
  expect(make.disabled).toBe(false);
  // As Enter in the field does.
  await act(async () => void fireEvent.submit(form as HTMLFormElement));
  expect(call).toHaveBeenCalledOnce();
});
