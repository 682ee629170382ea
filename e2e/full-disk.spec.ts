/** A full disk: what calls and pages are told, and that work goes on by itself when there is space. */
import { expect, test } from "./support/fixtures.ts";
import type { CallOutcome } from "./support/running-agent.ts";

test.use({ diskMebibytes: 64 });

/** Far less than a person would wait; the machine may be busy. */
const AT_ONCE = { timeoutMs: 20_000 };

/** By the log, or by the hub when it can keep no message either. */
const REFUSALS = ["audit_unavailable", "INTERNAL"];
const refusalOf = (outcome: CallOutcome) =>
  "error" in outcome ? (outcome.error.reason ?? outcome.error.code) : null;

test("on a full disk calls are refused at once, pages say what was not saved, and it ends by itself", async ({
  stage,
}) => {
  const { agent } = await stage.connectedAgent();
  expect(await agent.call("send_notification", { title: "Before" })).toMatchObject({
    result: { shown: true },
  });
  const main = await stage.open("settings");
  const seconds = main.getByTestId("settings-timeout");
  const before = await seconds.inputValue();
  const notice = main.locator('[data-testid="notice"][data-code="store_unwritable"]');
  await expect(notice).toHaveCount(0);

  stage.disk.fill();
  // What a file has begun to use may have room for one more.
  await expect(async () => {
    const silent = await agent.call("send_notification", { title: "Hello" }, AT_ONCE);
    expect(REFUSALS).toContain(refusalOf(silent));
  }).toPass();
  await expect(notice).toHaveCount(1);
  const asked = agent.call("write_clipboard", { text: "never asked about" }, AT_ONCE);
  expect(REFUSALS).toContain(refusalOf(await asked));
  await stage.noCard();

  // The first write that failed gave back what was kept for refusals.
  stage.disk.fill();
  await seconds.fill("45");
  await expect(main.getByTestId("failure")).toHaveAttribute("data-code", "store_unwritable");
  await expect(seconds).toHaveValue(before);
  for (const title of ["Third", "Fourth"]) {
    const refused = await agent.call("send_notification", { title }, AT_ONCE);
    expect(REFUSALS).toContain(refusalOf(refused));
  }

  stage.disk.empty();
  await expect(notice).toHaveCount(0);
  await seconds.fill("45");
  await expect(main.getByTestId("failure")).toHaveCount(0);
  expect(await agent.call("send_notification", { title: "Again" })).toMatchObject({
    result: { shown: true },
  });
  expect(await stage.program.stop()).toBe(0);
  await stage.start();
  await stage.open("settings");
  await expect(stage.program.main.getByTestId("settings-timeout")).toHaveValue("45");
});
