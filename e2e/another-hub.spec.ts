import { expect, test } from "./support/fixtures.ts";
import { HubOfNodes, hasNodes } from "./support/hub-of-nodes.ts";
import { OtherHub } from "./support/other-hub.ts";

const hub = new OtherHub();
test.beforeAll(() => hub.start());
test.afterAll(() => hub.end());

test("the person moves to a hub they are invited to, their agent comes along, and both return", async ({
  stage,
}) => {
  const { agent } = await stage.connectedAgent(["notification:send"]);
  const main = await stage.open("settings");
  const settings = main.getByTestId("hub-settings");
  const problem = main.getByTestId("hub-problem");
  const own = stage.program.ready.hub;
  const move = async (link: string) => {
    await main.getByTestId("hub-link").fill(link);
    await main.getByTestId("hub-move").click();
    await main.getByTestId("hub-move-dialog-confirm").click();
  };
  await expect(settings).toHaveAttribute("data-own", "true");
  await expect(settings).toContainText(own);
  await move(hub.url);
  await expect(problem).toHaveAttribute("data-code", "hub_not_invited");
  const link = await hub.invite("Ada");
  await move(link);
  await expect(settings).toHaveAttribute("data-own", "false");
  await expect(settings).toContainText(hub.url);
  await expect(main.getByTestId("hub-state")).toHaveAttribute("data-state", "connected");
  await expect(main.getByTestId("hub-untold")).toHaveCount(0);
  const notify = () => agent.call("send_notification", { title: "Here" });
  expect(await notify()).toHaveProperty("result");
  await main.getByTestId("hub-back").click();
  await expect(settings).toHaveAttribute("data-own", "true");
  await expect(settings).toContainText(own);
  expect(await notify()).toHaveProperty("result");
});

test("a hub whose certificate nobody vouches for is refused with the reason, and nothing clicks it away", async ({
  stage,
}) => {
  test.skip(!hasNodes, "no PostgreSQL to test with, or no openssl");
  const main = await stage.open("settings");
  const settings = main.getByTestId("hub-settings");
  const secure = await HubOfNodes.start(1);
  try {
    await main.getByTestId("hub-link").fill(await secure.node(0).invite("Ada"));
    await main.getByTestId("hub-move").click();
    await main.getByTestId("hub-move-dialog-confirm").click();
    const problem = main.getByTestId("hub-problem");
    await expect(problem).toHaveAttribute("data-code", "hub_certificate_untrusted");
    await expect(settings).toHaveAttribute("data-own", "true");
    // Copying the address, and trying again.
    await expect(settings.getByRole("button")).toHaveCount(2);
  } finally {
    await secure.end();
  }
});
