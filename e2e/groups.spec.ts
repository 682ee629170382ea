/** A group from the person's side: made, renamed, joined, left and ended; tools stay out of it. */
import { axeFindings } from "./support/axe-findings.ts";
import { expect, test } from "./support/fixtures.ts";
import { MANIFEST } from "./support/manifest.ts";

test.setTimeout(120_000);

test("the person makes a group, changes who is in it and what it is called, and ends it", async ({
  stage,
}) => {
  const { credentials } = await stage.connectedAgent();
  const second = stage.newAgent();
  const pairing = second.pair("Second agent", MANIFEST);
  await stage.open("agents");
  await stage.acceptPairing(await pairing.code, []);
  await pairing.done;
  const { main } = stage.program;

  const group = await stage.newGroup("Weekly review", credentials.agentId);
  const head = main.locator(".thread-head");
  await expect(head).toContainText("Weekly review");
  await expect(main.getByTestId("tools-off")).toBeVisible();
  await main.getByTestId("composer").fill("Good morning, all.");
  await main.getByTestId("composer-send").click();
  await expect(main.getByTestId("message")).toContainText("Good morning, all.");

  await main.getByTestId("group-menu").click();
  await main.getByTestId("group-rename").click();
  await main.getByTestId("group-name").fill("Monthly review");
  await main.getByTestId("rename-group-save").click();
  await expect(head).toContainText("Monthly review");

  await main.getByTestId("group-menu").click();
  await main.getByTestId("group-members").click();
  const dialog = main.getByTestId("group-members-dialog");
  const members = dialog.getByTestId("group-member");
  await expect(members).toHaveCount(2);
  await dialog.getByTestId("group-add").click();
  await expect(members).toHaveCount(3);
  await expect(dialog.getByTestId("group-addable")).toHaveCount(0);
  expect(await axeFindings(main, "the members of a group")).toEqual([]);
  await second.send("Here I am.", group);
  await members.filter({ hasText: "End-to-end agent" }).getByTestId("group-remove").click();
  await expect(members).toHaveCount(2);
  await dialog.getByTestId("group-members-done").click();
  await expect(main.getByTestId("message").filter({ hasText: "Here I am." })).toBeVisible();

  // A call there is refused, and the page says where the agent can ask.
  const refused = await second.call("read_clipboard", {}, { timeoutMs: 60_000 }, group);
  expect(refused).toMatchObject({ error: { reason: "tool_not_supported_in_group" } });
  await stage.noCard();
  const call = main.getByTestId("call-entry");
  await expect(call).toContainText("group");
  await call.getByTestId("private-way").click();
  await expect(main.getByTestId("thread")).toHaveAttribute("data-kind", "direct");
  await expect(head).toContainText("Second agent");
  const asked = second.call("write_clipboard", { text: "x" }, { timeoutMs: 60_000 });
  expect(await asked).toMatchObject({ error: { reason: "scope_not_granted" } });

  await main.getByTestId("conversation-row").filter({ hasText: "Monthly review" }).click();
  await main.getByTestId("group-menu").click();
  await main.getByTestId("group-leave").click();
  await main.getByTestId("leave-group-confirm").click();
  await expect(main.getByTestId("composer-blocked")).toContainText("This group has ended");
  await expect(main.getByTestId("group-menu")).toHaveCount(0);
  await expect(main.getByTestId("message").filter({ hasText: "Here I am." })).toBeVisible();
});
