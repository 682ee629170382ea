import { readFlags } from "../../../../../runtime/read-flags.ts";
import { REVISIONS, runScenarios } from "./run-scenarios.ts";
import { startFixture } from "./start-fixture.ts";

/**
 * The server scenarios of MCP's conformance suite, on our serving of HTTP, or with `--official` on the
 * official SDK's own.
 */
const { values } = readFlags("Usage: npm run conformance -- [--official]", {
  options: { official: { type: "boolean", default: false } },
});
const fixture = await startFixture(values.official ? "official" : "ours");
try {
  for (const revision of REVISIONS) {
    const { passed, output } = await runScenarios(fixture.url, revision);
    console.log(output);
    if (!passed) process.exitCode = 1;
  }
} finally {
  fixture.close();
}
