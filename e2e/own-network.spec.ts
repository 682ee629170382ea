import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test as base, expect } from "./support/fixtures.ts";

const test = base.extend<{ address: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  address: async ({}, use) => {
    const server = createServer((_request, response) => response.end("hello from within"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    server.close();
  },
});

test("a host of the person's own network is asked for, once or until it is taken back", async ({
  stage,
  address,
}) => {
  const { agent } = await stage.connectedAgent();
  const first = agent.call("fetch_url", { url: address });
  await expect((await stage.card()).getByTestId("consent-host")).toContainText("127.0.0.1");
  await stage.press("consent-allow-once");
  expect(await first).toMatchObject({ result: { status_code: 200, body: "hello from within" } });

  const second = agent.call("fetch_url", { url: address });
  await expect((await stage.card()).getByTestId("consent-host")).toBeVisible();
  await stage.press("consent-allow-conversation");
  expect(await second).toMatchObject({ result: { status_code: 200 } });
  expect(await agent.call("fetch_url", { url: address })).toMatchObject({
    result: { status_code: 200 },
  });
  await stage.noCard();

  const main = await stage.open("permissions");
  await expect(main.getByTestId("host-row")).toContainText("127.0.0.1");
  await main.getByTestId("remove-host").click();
  await expect(main.getByTestId("host-row")).toHaveCount(0);
  const third = agent.call("fetch_url", { url: address });
  await expect((await stage.card()).getByTestId("consent-host")).toBeVisible();
  await stage.press("consent-deny");
  expect(await third).toMatchObject({ error: { reason: "user_refused" } });
});

test("a host can be allowed by hand, and what is no host is said to be none", async ({ stage }) => {
  const { agent } = await stage.connectedAgent();
  const main = await stage.open("permissions");
  await main.getByTestId("add-host-name").fill("127.0.0.1:80");
  await main.getByTestId("add-host").click();
  await expect(main.getByText("This is not a host.")).toBeVisible();
  await main.getByTestId("add-host-name").fill("LOCALHOST");
  await main.getByTestId("add-host").click();
  await expect(main.getByTestId("host-row")).toContainText("localhost");
  const called = agent.call("fetch_url", { url: "http://localhost:8099/" });
  await expect((await stage.card()).getByTestId("consent-host")).toHaveCount(0);
  await stage.press("consent-deny");
  expect(await called).toMatchObject({ error: { reason: "user_refused" } });
});
