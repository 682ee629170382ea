import { join } from "node:path";
import { axeFindings } from "./support/axe-findings.ts";
import { expect, test } from "./support/fixtures.ts";
import { MANIFEST } from "./support/manifest.ts";
import { patchManifest } from "./support/patch-manifest.ts";

test.setTimeout(90_000);

test("a changed agent shows old against new, and its requests that were missed are told once", async ({
  stage,
}) => {
  const { agent, credentials } = await stage.connectedAgent();
  const path = join(stage.folderWith({}), "report.md");
  const missed = agent.call("write_file", { path, content: "A report that nobody saw." });
  const countdown = (await stage.card()).getByTestId("consent-countdown");
  await expect(countdown).toHaveAttribute("data-running", "true");
  await stage.program.jump(30_000);
  expect(await missed).toMatchObject({ error: { reason: "user_timeout" } });
  const { main } = stage.program;
  await stage.open("home");
  const row = main.getByTestId("missed-row");
  await expect(row).toContainText(`Write ${path}`);
  await expect(row).toContainText("End-to-end agent");
  await row.getByTestId("missed-asked").click();
  await expect(row.getByTestId("call-arguments")).toContainText("A report that nobody saw.");
  await row.getByTestId("missed-call").click();
  await expect(main.getByTestId("activity-row")).toHaveAttribute("data-reason", "user_timeout");
  // Nobody wrote it: the file would still be new.
  await expect(main.getByTestId("activity-row")).toContainText(`Create ${path}`);
  await stage.open("home");
  await main.getByTestId("missed-dismiss").click();
  await expect(row).toHaveCount(0);

  const raised = MANIFEST.permission_scopes.map((scope) =>
    scope.id === "network:http" ? { ...scope, sensitivity: "high" } : scope,
  );
  const next = { ...MANIFEST, agent_version: "1.1.0", permission_scopes: raised };
  await patchManifest(stage.program.ready.hub, credentials, next);
  await stage.open("agents");
  await main.getByTestId("agent-differences").click();
  const list = main.getByTestId("difference-list");
  await expect(list.locator('[data-breaking="true"]')).toContainText("network:http");
  await expect(list.getByRole("row", { name: "sensitivity medium high" })).toBeVisible();
  await expect(list.getByRole("row", { name: "agent_version 1.0.0 1.1.0" })).toBeVisible();
});

test("a manifest is looked at before its agent asks: every problem with its place, then what to tell its developer", async ({
  stage,
}) => {
  const main = await stage.open("agents");
  await main.getByTestId("add-by-manifest-open").click();
  const text = main.getByTestId("add-by-manifest").getByTestId("manifest-text");
  const faulty = { ...MANIFEST, schema_version: "2.0", agent_version: "one" };
  await text.fill(JSON.stringify(faulty, null, 2));
  const remarks = main.getByTestId("manifest-problems").getByTestId("manifest-remark");
  await expect(remarks.nth(0)).toHaveAttribute("data-pointer", "/schema_version");
  await expect(remarks.nth(1)).toContainText("line 3");
  await expect(main.getByTestId("pairing-facts")).toHaveCount(0);
  await text.fill(JSON.stringify(MANIFEST));
  await expect(main.getByTestId("pairing-facts")).toContainText(stage.program.ready.hub);
  await expect(remarks).toHaveCount(0);
  expect(await axeFindings(main, "a new manifest")).toEqual([]);
});
