import { test } from "../support/fixtures.ts";
import { shoot } from "./shoot.ts";

const LONG = "Ein sehr langer Satz, den ein Agent geschrieben hat, mit einem Wort ohne Ende: ";
const ENDLESS = "Donaudampfschifffahrtsgesellschaftskapitän".repeat(2);
const options = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ value: `${at}`, label: `${at + 1}. 选项 option` }));

const FORM = {
  artifact_id: "form",
  title: "Your trip to the sea / 您的海边之旅",
  blocks: [
    { tag: "text", text: "The **night train** leaves at nine.\n\n- beds\n- breakfast" },
    { tag: "status", text: "Two seats are left", variant: "warning" },
    { tag: "input", key: "name", label: "Name", required: true },
    { tag: "input", key: "notes", label: "Anything else?", variant: "textarea" },
    { tag: "input", key: "seats", label: "Seats", variant: "number", min: 1, max: 2, value: 3 },
    { tag: "input", key: "day", label: "Day", variant: "date", value: "2026-12-24" },
    { tag: "select", key: "class", label: "Class", options: options(3) },
    {
      tag: "select",
      key: "meals",
      label: "Meals",
      multiple: true,
      options: options(3),
      value: ["1"],
    },
    { tag: "checkbox", key: "terms", label: "I have read the conditions", required: true },
    { tag: "action", key: "book", label: "Book", variant: "primary" },
    { tag: "action", key: "later", label: "Remind me later", sends_values: false },
    { tag: "action", key: "no", label: "Cancel the trip", variant: "danger", sends_values: false },
  ],
};

const SHOWN = {
  artifact_id: "shown",
  title: LONG + ENDLESS,
  blocks: [
    { tag: "progress", label: "Files copied", value: 62 },
    { tag: "progress", label: LONG + ENDLESS },
    { tag: "status", text: "All done", variant: "success" },
    { tag: "status", text: LONG + ENDLESS, variant: "danger" },
    {
      tag: "table",
      label: "Tests by room",
      columns: ["room", "tests", "green", "note"],
      rows: [
        ["app", 1204, true, "纯函数"],
        ["main", 980.5, false, LONG],
        ["renderer", null, true, ENDLESS],
      ],
    },
    { tag: "code", label: "reason.ts", text: "const answer = 42;\n\nexport { answer };\n" },
    { tag: "file", key: "plan", filename: `${ENDLESS}.txt`, data: "aGVsbG8=" },
    { tag: "divider" },
  ],
};

test("artifacts", async ({ stage, interfaceLanguage }) => {
  const { agent } = await stage.connectedAgent();
  await agent.blocks(SHOWN);
  const main = await stage.open("conversations");
  await main.setViewportSize({ width: 1180, height: 820 });
  await main.locator('[data-testid="conversation-row"][data-kind="direct"]').first().click();
  const artifact = main.getByTestId("artifact");
  await artifact.waitFor();
  await shoot(main, interfaceLanguage, "artifact-blocks", artifact.first());
  await shoot(main, interfaceLanguage, "artifact-table", main.getByTestId("artifact-table"));
  await agent.raw({ ...FORM, artifact_id: "x", blocks: [{ tag: "map", at: "54.1,12.1" }] });
  await agent.blocks(FORM);
  const action = (key: string) =>
    main.locator(`[data-testid="artifact-action"][data-key="${key}"]`).first();
  await action("book").press("Enter");
  await main.getByTestId("artifact-faults").waitFor();
  await shoot(main, interfaceLanguage, "artifact-form", artifact.last());
  await shoot(main, interfaceLanguage, "artifact-form-end", action("book"));
  await action("later").press("Enter");
  await main.getByTestId("artifact-answered").waitFor();
  await shoot(main, interfaceLanguage, "artifact-answered", artifact.last());
});
