// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { MissedWhy } from "../../app/bridge/agent-views.ts";
import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import type { Snapshot } from "../../app/bridge/views.ts";
import { HostProvider } from "../host-context.tsx";
import { LanguageProvider } from "../language.tsx";
import { createShownStore } from "../state/store.ts";
import { MissedRow } from "./missed-row.tsx";

afterEach(cleanup);

const REQUEST = {
  agent_id: "ada",
  agent_name: "Ada",
  call_id: "call-1",
  tool_name: "read_file",
  asked_at: 1,
  ended_at: 2,
};

test.each<[MissedWhy, string]>([
  ["user_timeout", "No answer in time"],
  ["cancelled", "Cancelled"],
  ["agent_disconnected", "The agent disconnected"],
  ["manifest_changed", "The agent changed while you were being asked"],
])("a missed request that ended with %s has the log's words for it", async (why, words) => {
  const store = createShownStore("connected");
  store.setState({ snapshot: { agents: [] as Snapshot["agents"] } as Snapshot });
  const bridge = { call: async () => null } as unknown as ClientBridge;
  render(
    <HostProvider bridge={bridge} store={store}>
      <LanguageProvider language="en">
        <MissedRow request={{ ...REQUEST, why }} />
      </LanguageProvider>
    </HostProvider>,
  );
  await screen.findByText("What it asked is no longer in memory.");
  expect(screen.getByTestId("missed-row").textContent).toContain(`Ada · ${words}`);
});
