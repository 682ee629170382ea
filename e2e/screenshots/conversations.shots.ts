import type { Page } from "@playwright/test";
import { test } from "../support/fixtures.ts";
import { ALL_SCOPES } from "../support/manifest.ts";
import type { Stage } from "../support/stage.ts";
import { shoot } from "./shoot.ts";

const REPORT = `## The tests are green

- 214 passed
- **none** failed

| suite | seconds |
| --- | ---: |
| unit | 42 |
| end to end | 118 |

\`\`\`sh
npm test
\`\`\`

A link that leads nowhere by itself: [the report](https://example.com/report), and <b>no bold</b>.`;

async function openRow(stage: Stage, kind: string): Promise<Page> {
  const main = await stage.open("conversations");
  await main.setViewportSize({ width: 1180, height: 820 });
  await main.locator(`[data-testid="conversation-row"][data-kind="${kind}"]`).first().click();
  return main;
}

test("groups", async ({ stage, interfaceLanguage }) => {
  const name = "An agent whose name is so long that it takes more than one line";
  const { agent, credentials } = await stage.connectedAgent(ALL_SCOPES, name);
  await stage.open("agents");
  await stage.connectedAgent([], "Second");
  const main = await stage.open("conversations");
  await main.getByTestId("new-group").click();
  await main.getByTestId("new-group-dialog").waitFor();
  await shoot(main, interfaceLanguage, "group-new");
  await main.keyboard.press("Escape");
  const title = "A name for a group that is rather long, as names of groups go";
  const group = await stage.newGroup(title, credentials.agentId);
  await agent.send("Good morning, all.", group);
  await openRow(stage, "group");
  await main.getByTestId("message").first().waitFor();
  await agent.call("read_clipboard", {}, { timeoutMs: 60_000 }, group);
  const refused = main.getByTestId("private-way");
  await refused.waitFor();
  await shoot(main, interfaceLanguage, "conversation-group", refused);
  for (const [item, dialog] of [
    ["group-members", "group-members-dialog"],
    ["group-rename", "rename-group"],
    ["group-leave", "leave-group"],
  ] as const) {
    await main.getByTestId("group-menu").click();
    await main.getByTestId(item).click();
    await main.getByTestId(dialog).waitFor();
    await shoot(main, interfaceLanguage, dialog);
    await main.keyboard.press("Escape");
    await main.setViewportSize({ width: 1180, height: 820 });
  }
});

test("conversations", async ({ stage, interfaceLanguage }) => {
  const { agent } = await stage.connectedAgent();
  await agent.send("Good morning. I will look after the tests today.");
  await agent.call("send_notification", { title: "Tests are green" });
  await agent.call("send_notification", { title: 7 });
  await agent.send(REPORT);
  const main = await openRow(stage, "direct");
  await main.getByTestId("message").nth(1).waitFor();
  await main.getByTestId("composer").fill("Thank you.");
  await main.getByTestId("composer").press("Enter");
  await main.getByTestId("message").nth(2).waitFor();
  await shoot(main, interfaceLanguage, "conversation");
  const call = main.locator('[data-testid="call-entry"][data-status="ok"]');
  for (const fold of ["call-open", "call-asked", "call-given"])
    await call.getByTestId(fold).press("Enter");
  await call.getByTestId("call-result").waitFor();
  await shoot(main, interfaceLanguage, "conversation-call", call);
  await main.getByTestId("delete-history").click();
  await shoot(main, interfaceLanguage, "delete-history");
  await main.getByTestId("delete-history-dialog-cancel").click();

  await openRow(stage, "system");
  await main.getByTestId("manifest-agent").getByRole("button").click();
  await main.locator("[data-choice]").click();
  await main.getByTestId("manifest-text").fill('{ "schema_version": "1.0", "tools": [{}] }');
  await main.getByTestId("manifest-remark").first().waitFor();
  await shoot(main, interfaceLanguage, "conversation-manifest");
});

test("a running command, with what it wrote last", async ({ stage, interfaceLanguage }) => {
  const { agent } = await stage.connectedAgent();
  const long = "a-line-that-goes-on-and-on-".repeat(9);
  const script = `printf '${"line\\n".repeat(30)}\\033[31mred\\033[0m ${long}\\n\\342\\200\\256left'; sleep 300`;
  void agent.call("run_command", {
    argv: ["sh", "-c", script],
    directory: stage.folderWith({}),
  });
  await stage.press("consent-allow-once");
  const main = await stage.open("home");
  await main.getByTestId("output-tail").filter({ hasText: "left" }).waitFor();
  await shoot(main, interfaceLanguage, "home-running");
  await openRow(stage, "direct");
  const tail = main.getByTestId("output-tail");
  await tail.waitFor();
  await shoot(main, interfaceLanguage, "conversation-running", tail);
  await main.getByTestId("call-cancel").click();
});
