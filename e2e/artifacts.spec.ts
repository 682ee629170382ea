import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, sharedStage, test } from "./support/fixtures.ts";
import { MANIFEST } from "./support/manifest.ts";

const shared = sharedStage();

const TRIP = {
  artifact_id: "trip",
  title: "Your trip",
  blocks: [
    { tag: "text", text: "The **night train** leaves at nine." },
    { tag: "status", key: "state", text: "Two seats are left", variant: "warning" },
    { tag: "input", key: "name", label: "Name", required: true },
    { tag: "input", key: "seats", label: "Seats", variant: "number", min: 1, max: 2, value: 1 },
    {
      tag: "select",
      key: "class",
      label: "Class",
      required: true,
      options: [
        { value: "1", label: "First" },
        { value: "2", label: "Second" },
      ],
    },
    { tag: "checkbox", key: "bike", label: "With a bicycle" },
    { tag: "action", key: "book", label: "Book", variant: "primary" },
    { tag: "action", key: "no", label: "No, thank you", sends_values: false },
  ],
};

const field = (main: Page, key: string) =>
  main.locator(`[data-testid="artifact-field"][data-key="${key}"]`);
const action = (main: Page, key: string) =>
  main.locator(`[data-testid="artifact-action"][data-key="${key}"]`);

test("a form is filled in, answered once, and shows what was answered", async () => {
  const stage = shared();
  const { agent, credentials } = await stage.connectedAgent();
  await agent.blocks(TRIP);
  const main = await stage.openConversation(credentials);
  await expect(main.getByTestId("artifact")).toContainText("The night train leaves at nine.");
  await action(main, "book").click();
  await expect(main.getByTestId("artifact-faults")).toContainText("2 fields");
  await expect(field(main, "name")).toHaveAttribute("data-fault", "required");

  await field(main, "name").getByTestId("artifact-input").fill("Kim");
  await field(main, "seats").getByTestId("artifact-input").fill("3");
  await field(main, "class").getByRole("button").click();
  await main.locator('[data-choice="2"]').click();
  await field(main, "bike").getByText("With a bicycle").click();
  await action(main, "book").click();
  await expect(field(main, "seats")).toHaveAttribute("data-fault", "too_high");
  await field(main, "seats").getByTestId("artifact-input").fill("2");

  const heard = agent.answered();
  await action(main, "book").dblclick();
  expect(await heard).toMatchObject({
    ref_artifact: "trip",
    ref_action: "book",
    values: { name: "Kim", seats: 2, class: "2", bike: true },
  });
  await expect(main.getByTestId("artifact-answered")).toContainText("Book");
  await expect(main.locator('[data-testid="artifact-value"][data-key="class"]')).toContainText(
    "Second",
  );
  await expect(main.getByTestId("artifact-action")).toHaveCount(0);
  await expect(main.locator('[data-testid="message"][data-content="answer"]')).toHaveCount(1);
});

test("the keyboard stays in the conversation when a form is answered with it", async () => {
  const stage = shared();
  const { agent, credentials } = await stage.connectedAgent();
  await agent.blocks(TRIP);
  const main = await stage.openConversation(credentials);
  await expect(action(main, "no")).toHaveAttribute("aria-disabled", "false");
  await action(main, "no").press("Enter");
  await expect(main.getByTestId("artifact-answered")).toContainText("No, thank you");
  await expect(main.getByTestId("thread-log")).toBeFocused();
});

test("what was entered survives a change by the agent, and the fields are as they are now", async () => {
  const stage = shared();
  const { agent, credentials } = await stage.connectedAgent();
  await agent.blocks(TRIP);
  const main = await stage.openConversation(credentials);
  await field(main, "name").getByTestId("artifact-input").fill("Kim");
  const state = { text: "One seat is left", variant: "danger" };
  await agent.update({ ref_artifact: "trip", updates: { state, seats: { max: 1 } } });
  await expect(main.getByTestId("artifact-status")).toHaveText("One seat is left");
  await expect(field(main, "name").getByTestId("artifact-input")).toHaveValue("Kim");
  await expect(main.getByTestId("artifact")).toHaveCount(1);
  // Two changes are left out: the agent's SDK sends the whole by itself.
  await agent.update({
    ref_artifact: "trip",
    revision: 4,
    updates: { state: { text: "Sold out" } },
  });
  await expect(main.getByTestId("artifact-status")).toHaveText("Sold out");
  await expect(main.getByTestId("artifact-missing")).toHaveCount(0);
});

test("a file is saved where the person wants it", { tag: "@browser" }, async () => {
  const stage = shared();
  const { agent, credentials } = await stage.connectedAgent();
  const data = Buffer.from("nine o'clock").toString("base64");
  const blocks = [{ tag: "file", key: "plan", filename: "../Reiseplan für Kim.txt", data }];
  await agent.blocks({ artifact_id: "plan", blocks });
  const main = await stage.openConversation(credentials);
  await expect(main.getByTestId("artifact-file")).toContainText("../Reiseplan für Kim.txt");
  const downloading = main.waitForEvent("download");
  await main.getByTestId("artifact-save").click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe("Reiseplan-für-Kim.txt");
  expect(readFileSync(await file.path(), "utf8")).toBe("nine o'clock");
});

test("nothing in an artifact loads or runs, and what is unknown is shown as such", async () => {
  const stage = shared();
  const { agent, credentials } = await stage.connectedAgent();
  await agent.raw({
    a2h: "0.3",
    artifact_id: "hostile",
    subtype: "app",
    title: "<img src=x onerror=alert(1)>",
    blocks: [
      { tag: "image", key: "i", url: "https://beacon.example/1.png" },
      { tag: "text", text: "![cat](https://beacon.example/2.png) <script>alert(1)</script>" },
      { tag: "status", text: "a\u202eb" },
      { tag: "code", text: "<style>*{display:none}</style>" },
      { tag: "action", key: "go", label: "<b>Go</b>", href: "https://evil.example/" },
    ],
  });
  const main = await stage.openConversation(credentials);
  const foreign: string[] = [];
  main.on("request", (request) => {
    if (request.url().includes(".example")) foreign.push(request.url());
  });
  const drawn = main.getByTestId("artifact");
  await expect(drawn).toContainText("<img src=x onerror=alert(1)>");
  await expect(drawn).toContainText("\\u{202e}");
  await expect(drawn).not.toContainText("https://beacon.example/1.png");
  await drawn.getByTestId("artifact-unknown").click();
  await expect(drawn).toContainText("https://beacon.example/1.png");
  await expect(drawn.locator("a, img, script, style, iframe, [href], [src]")).toHaveCount(0);
  expect(foreign).toEqual([]);
});

test("a manifest that rules artifacts out has them shown as data, until it allows them", async () => {
  const stage = shared();
  const { agent, credentials } = await stage.connectedAgent();
  await agent.blocks(TRIP);
  const main = await stage.openConversation(credentials);
  await expect(action(main, "book")).toBeVisible();
  await agent.manifest({ ...MANIFEST, capability_flags: { supports_artifacts: false } });
  await expect(main.getByTestId("artifact")).toHaveCount(0);
  await expect(main.getByTestId("message")).toContainText('"tag": "text"');
  await agent.manifest({ ...MANIFEST, capability_flags: {} });
  await expect(action(main, "book")).toBeVisible();
});

test("a manifest that rules streams out ends what is being written", async () => {
  const stage = shared();
  const { agent, credentials } = await stage.connectedAgent();
  const main = await stage.openConversation(credentials);
  await expect(main.getByTestId("thread-beginning")).toBeVisible();
  await agent.stream(["One, "]);
  await expect(main.getByTestId("stream")).toContainText("One,");
  await agent.manifest({ ...MANIFEST, capability_flags: { supports_streaming: false } });
  await expect(main.getByTestId("stream")).toHaveCount(0);
});

test("a form further up stays in view when it is answered", async () => {
  const stage = shared();
  const { agent, credentials } = await stage.connectedAgent();
  const blocks = Array.from({ length: 8 }, (_, at) => {
    const options = TRIP.blocks[4]?.options;
    return { tag: "select", key: `day${at}`, label: `Day ${at}`, options };
  });
  await agent.blocks({ ...TRIP, blocks: [...blocks, ...TRIP.blocks] });
  for (let line = 1; line <= 20; line += 1) await agent.send(`Line ${line}`);
  const main = await stage.openConversation(credentials);
  const log = main.getByTestId("thread-log");
  await expect(log.getByText("Line 20")).toBeInViewport();
  await expect(async () => {
    await log.evaluate((element) => element.scrollBy({ top: -300, behavior: "instant" }));
    await expect(action(main, "no")).toBeInViewport({ ratio: 1, timeout: 300 });
    await expect(log).toHaveAttribute("data-at-end", "false", { timeout: 300 });
  }).toPass({ intervals: [50] });
  await action(main, "no").press("Enter");
  await expect(main.getByTestId("artifact-answered")).toBeInViewport();
  await expect(main.getByTestId("thread-to-end")).toHaveText("Go to the newest");
  await expect(main.getByTestId("artifact-answered")).toBeInViewport();
});

test("the browser asks before a half-filled form or an unsent message is lost with the page", {
  tag: "@browser",
}, async () => {
  const stage = shared();
  const { agent, credentials } = await stage.connectedAgent();
  await agent.blocks(TRIP);
  const main = await stage.openConversation(credentials);
  const asked: string[] = [];
  main.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await field(main, "name").getByTestId("artifact-input").fill("Kim");
  await main.reload();
  expect(asked).toEqual(["beforeunload"]);
  await main.getByTestId("composer").fill("Half a thought");
  await main.reload();
  expect(asked).toHaveLength(2);
  await field(main, "name").getByTestId("artifact-input").fill("Kim");
  await action(main, "no").click();
  await expect(main.getByTestId("artifact-answered")).toBeVisible();
  await main.reload();
  expect(asked).toHaveLength(2);
});
