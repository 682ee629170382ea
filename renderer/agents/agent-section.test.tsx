// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import type { AgentCard, Snapshot } from "../../app/bridge/views.ts";
import type { Sensitivity } from "../../app/contract/sensitivity.ts";
import { HostProvider } from "../host-context.tsx";
import { LanguageProvider } from "../language.tsx";
import { createShownStore } from "../state/store.ts";
import { AgentSection } from "./agent-section.tsx";
import { sampleAgent } from "./testing/sample-agent.ts";

afterEach(cleanup);

const [first] = sampleAgent.grants;
if (first === undefined) throw new Error("the sample declares permissions");
const declaring = (manifest_version: number, sensitivity: Sensitivity): AgentCard => ({
  ...sampleAgent,
  manifest_version,
  grants: [{ ...first, state: "awaiting_reconsent", scope: { ...first.scope, sensitivity } }],
});

test("a permission that a newer manifest makes high is not ticked for the person", async () => {
  const store = createShownStore("connected");
  const keys = { agents: [], pairings: [], restart_needed: false };
  store.setState({ snapshot: { agents: [sampleAgent], keys } as unknown as Snapshot });
  const page = (agent: AgentCard) => (
    <HostProvider bridge={{} as ClientBridge} store={store}>
      <LanguageProvider language="en">
        <AgentSection agent={agent} />
      </LanguageProvider>
    </HostProvider>
  );
  const ticked = () => {
    const tick = screen.getByTestId(`reconsent-scope-${first.scope.id}`);
    return (tick.matches("input") ? tick : tick.querySelector("input")) as HTMLInputElement;
  };
  const { rerender } = render(page(declaring(2, "medium")));
  expect(ticked().checked).toBe(true);
  rerender(page(declaring(3, "high")));
  expect(ticked().checked).toBe(false);
  await act(async () => void fireEvent.click(ticked()));
  expect(ticked().checked).toBe(true);
  rerender(page(declaring(4, "high")));
  expect(ticked().checked).toBe(false);
});
