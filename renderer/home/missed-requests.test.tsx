// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { MissedWhy } from "../../app/bridge/consent-views.ts";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { MissedRow } from "./missed-requests.tsx";

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
  drawInHost(<MissedRow request={{ ...REQUEST, why }} />, {
    call: async () => null,
    snapshot: { agents: [] },
  });
  await screen.findByText("What it asked is no longer in memory.");
  expect(screen.getByTestId("missed-row").textContent).toContain(`Ada · ${words}`);
});
