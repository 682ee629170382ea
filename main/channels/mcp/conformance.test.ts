import { afterAll, beforeAll, expect, it } from "vitest";
import {
  REVISIONS,
  runScenario,
  runScenarios,
  TASK_SCENARIOS,
} from "./testing/conformance/run-scenarios.ts";
import { startFixture } from "./testing/conformance/start-fixture.ts";

let fixture: Awaited<ReturnType<typeof startFixture>>;
beforeAll(async () => {
  fixture = await startFixture("ours");
});
afterAll(() => fixture.close());

it.each(REVISIONS)(
  "what revision %s requires of a server passes",
  async (revision) => {
    const { passed, output } = await runScenarios(fixture.url, revision);
    expect(passed, output).toBe(true);
  },
  120_000,
);

it.each(TASK_SCENARIOS)(
  "of the extension for tasks, %s passes",
  async (scenario) => {
    const { passed, output } = await runScenario(fixture.url, scenario);
    expect(passed, output).toBe(true);
  },
  60_000,
);
