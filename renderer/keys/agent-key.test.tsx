// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import type { Snapshot } from "../../app/bridge/views.ts";
import { HostProvider } from "../host-context.tsx";
import { LanguageProvider } from "../language.tsx";
import { createShownStore } from "../state/store.ts";
import { AgentKey } from "./agent-key.tsx";

afterEach(cleanup);

const numberOf = (digit: string) => ({ digits: digit.repeat(60), words: "word ".repeat(24) });
const keysWith = (changed: ReturnType<typeof numberOf>): Snapshot["keys"] => ({
  agents: [
    {
      agent_id: "agent-1",
      level: "ratchet",
      verified: true,
      safety: numberOf("1"),
      changed,
      ledger: "in_step",
    },
  ],
  pairings: [],
  restart_needed: false,
});

test("a number that was compared says nothing of the one that comes after it", async () => {
  const store = createShownStore("connected");
  const show = (keys: Snapshot["keys"]) =>
    act(() => store.setState({ snapshot: { keys } as Snapshot }));
  show(keysWith(numberOf("2")));
  render(
    <HostProvider bridge={{} as ClientBridge} store={store}>
      <LanguageProvider language="en">
        <AgentKey agentId="agent-1" />
      </LanguageProvider>
    </HostProvider>,
  );
  const accept = () => screen.getByTestId<HTMLButtonElement>("key-accept");
  const tick = screen.getByTestId("key-compared");
  await act(async () => {
    fireEvent.click(tick.querySelector("input") ?? tick);
  });
  expect(accept().disabled).toBe(false);
  show(keysWith(numberOf("3")));
  expect(accept().disabled).toBe(true);
});
