import { expect, test } from "../support/fixtures.ts";
import { shoot } from "./shoot.ts";

const FAR = `https://${"a-long-name.".repeat(6)}example.com:8443/one/two?three=four`;
const SENDS = {
  url: "https://api.example.com/v1/notes",
  method: "POST",
  headers: { Authorization: "Bearer 0123456789abcdef", "content-type": "application/json" },
  body: '{"text": "Buy milk.\\nCall Ada."}',
};

test("answers for a page, for what sends and for a long host", async ({
  stage,
  interfaceLanguage,
}) => {
  const { cards } = stage.program;
  const { agent } = await stage.connectedAgent();
  const scenes = {
    "quiet-page": { url: "https://example.com/news" },
    "quiet-sends": SENDS,
    "quiet-long": { url: FAR },
  };
  for (const [name, args] of Object.entries(scenes)) {
    const call = agent.call("fetch_url", args);
    await stage.card();
    await shoot(cards, interfaceLanguage, name);
    await stage.press("consent-deny");
    await stage.noCard();
    await call;
  }
});

test("what need not be asked, in Permissions", async ({ stage, interfaceLanguage }) => {
  const folder = stage.folderWith({ "notes.md": "Buy milk.\n" });
  const { agent } = await stage.connectedAgent();
  const main = await stage.open("permissions");
  await main.getByTestId("add-root-path").fill(folder);
  await main.getByTestId("add-root").click();
  for (const [host, rows] of [
    ["nas:8080", 1],
    ["fd00::1", 3],
  ] as const) {
    await main.getByTestId("add-host-name").fill(host);
    await main.getByTestId("add-host").click();
    await expect(main.getByTestId("host-row")).toHaveCount(rows);
  }
  const asked = [
    ["list_directory", { path: folder }],
    ["write_clipboard", { text: "x" }],
    ["fetch_url", { url: "http://nas:8080/" }],
  ] as const;
  for (const [tool, args] of asked) {
    const call = agent.call(tool, args);
    await stage.press("consent-allow-conversation");
    await call;
  }
  await shoot(
    main,
    interfaceLanguage,
    "quiet-permissions",
    main.getByTestId("quiet-period-row").first(),
  );
});

test("why a call was not asked about, and once that is over", async ({
  stage,
  interfaceLanguage,
}) => {
  const { agent } = await stage.connectedAgent();
  const first = agent.call("write_clipboard", { text: "x" });
  await stage.press("consent-allow-conversation");
  await first;
  await agent.call("write_clipboard", { text: "y" }, { callId: "again" });
  await agent.call("send_notification", { title: "Hello" }, { callId: "low" });
  const main = await stage.open("activity");
  const why = main.getByTestId("why-unasked");
  await main.locator('[data-testid="activity-row"][data-call-id="low"]').click();
  await why.waitFor();
  await shoot(main, interfaceLanguage, "why-low");
  await main.keyboard.press("Escape");
  await main.locator('[data-testid="activity-row"][data-call-id="again"]').click();
  await why.getByTestId("why-window").waitFor();
  await shoot(main, interfaceLanguage, "why-quiet");
  await why.getByTestId("why-ask-again").click();
  await why.getByTestId("why-gone").waitFor();
  await shoot(main, interfaceLanguage, "why-gone");
});
