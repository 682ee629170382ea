import { describe, expect, it } from "vitest";
import { ToolFailure, ToolUnavailable } from "./ports.ts";
import { callTo, House } from "./testing/house.ts";

describe("a running call", () => {
  it("is listed with its progress, and the person can cancel it", async () => {
    const house = new House();
    house.runs = (_args, { progress, signal }) => {
      progress({ done: 3, total: null, unit: "files" });
      return new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(new ToolFailure("cancelled"))),
      );
    };
    const response = house.handle(callTo("send_notification", { call_id: "c1" }));
    await house.settle();
    expect(house.ports.running.list()).toMatchObject([
      { call_id: "c1", tool_name: "send_notification", progress: { done: 3, unit: "files" } },
    ]);
    expect(house.ports.running.stop(({ call_id }) => call_id === "c1", "cancelled")).toBe(1);
    expect(await response).toMatchObject({
      error_code: "TOOL_PLATFORM_ERROR",
      reason: "cancelled",
    });
    expect(house.ports.running.list()).toEqual([]);
  });

  it("that finds nothing to do it with is TOOL_UNAVAILABLE", async () => {
    const house = new House();
    house.runs = () => Promise.reject(new ToolUnavailable("no_provider"));
    const response = await house.handle(callTo("send_notification"));
    expect(response).toMatchObject({ error_code: "TOOL_UNAVAILABLE", reason: "no_provider" });
  });
});
