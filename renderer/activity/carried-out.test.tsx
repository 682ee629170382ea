// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { RowDetails } from "./row-details.tsx";
import { sampleRow } from "./testing/sample-log.ts";

afterEach(cleanup);

function said(part: Parameters<typeof sampleRow>[1]): string | undefined {
  const agents = [
    { agent_id: "a", name: "Ada", delivery: "hook", petname: null, key_mark: { kind: "none" } },
  ];
  drawInHost(<RowDetails row={sampleRow(1, part)} onClose={() => {}} onNarrow={() => {}} />, {
    snapshot: { agents, rules: [] },
  });
  return screen.queryByTestId("activity-carried-out")?.dataset.said;
}

test.each([
  ["nothing yet", { status: "ok", carried_out: null }, "unknown"],
  ["that it is done", { status: "ok", carried_out: "succeeded" }, "succeeded"],
  ["that it failed", { status: "error", carried_out: "failed" }, "failed"],
  ["nothing, because it was denied", { status: "denied", carried_out: null }, undefined],
] as const)("what an agent with hooks reports of its call: %s", (_, part, words) => {
  expect(said(part)).toBe(words);
});
