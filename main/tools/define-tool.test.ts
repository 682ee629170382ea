import { expect, it } from "vitest";
import type { JsonObject } from "../../app/contract/json.ts";
import { getLocation } from "../../app/contract/tools/get-location.ts";
import { defineTool } from "./define-tool.ts";
import { failureOf, holding, toolContext } from "./testing/tool-context.ts";

const HERE = { latitude: 1, longitude: 2, accuracy_m: 3, timestamp: 4, source: "browser" } as const;

/** Records what reaches each step. */
function located(result: unknown = HERE) {
  const seen: unknown[] = [];
  const tool = defineTool(getLocation, {
    preflight: (args) => {
      seen.push(args);
      return null;
    },
    preview: async (args) => {
      seen.push(args);
      return { shown: null, seen: null };
    },
    run: async (args) => {
      seen.push(args);
      return result as typeof HERE;
    },
  });
  return { tool, seen };
}

const OTHERS: readonly JsonObject[] = [{ accuracy: "exact" }, { accuracy: null }, { more: 1 }];

it.each(OTHERS)("no step of a tool sees %j, which its contract does not take", async (args) => {
  const { tool, seen } = located();
  const { agent_id, signal } = toolContext();
  expect(() => tool.preflight(args, holding())).toThrow("internal_error");
  const preview =
    tool.preview?.(args, { agent_id, roots: [], given: [], signal }) ?? Promise.resolve();
  expect(await failureOf(preview)).toBe("internal_error");
  expect(await failureOf(tool.run(args, toolContext()))).toBe("internal_error");
  expect(seen).toEqual([]);
});

it("the steps get the very arguments that were shown, and the result is the tool's own", async () => {
  const { tool, seen } = located();
  const args = { accuracy: "fine" };
  expect(tool.preflight(args, holding())).toBeNull();
  expect(await tool.run(args, toolContext())).toBe(HERE);
  expect(seen).toEqual([args, args]);
  expect(seen.every((each) => each === args)).toBe(true);
});

it.each([{ ...HERE, latitude: 91 }, { ...HERE, home: "Elm Street 1" }, { latitude: 1 }, null, "x"])(
  "a result that the contract does not promise never leaves the tool: %j",
  async (result) => {
    expect(await failureOf(located(result).tool.run({}, toolContext()))).toBe("internal_error");
  },
);

it("a tool that says nothing else is there, needs nothing and shows nothing", () => {
  const tool = defineTool(getLocation, { run: async () => HERE });
  expect(tool.available()).toBe(true);
  expect(tool.preflight({}, holding())).toBeNull();
  expect(tool.preview).toBeUndefined();
});
