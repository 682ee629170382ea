import { expect, test } from "./support/fixtures.ts";
import { openSite } from "./support/site.ts";

test("a host of the person's own network is asked for, once or until it is taken back", async ({
  stage,
}) => {
  const site = await openSite((_, response) => response.end("hello from within"));
  const { agent } = await stage.connectedAgent();
  const first = agent.call("fetch_url", { url: site.url });
  await expect((await stage.card()).getByTestId("consent-gives")).toContainText("127.0.0.1");
  await stage.press("consent-allow-once");
  expect(await first).toMatchObject({ result: { status_code: 200, body: "hello from within" } });

  const second = agent.call("fetch_url", { url: site.url });
  await expect((await stage.card()).getByTestId("consent-host")).toBeVisible();
  await stage.press("consent-allow-conversation");
  expect(await second).toMatchObject({ result: { status_code: 200 } });
  expect(await agent.call("fetch_url", { url: site.url })).toMatchObject({
    result: { status_code: 200 },
  });
  await stage.noCard();

  const main = await stage.open("permissions");
  await expect(main.getByTestId("host-row")).toContainText("127.0.0.1");
  await main.getByTestId("remove-host").click();
  await expect(main.getByTestId("host-row")).toHaveCount(0);
  const third = agent.call("fetch_url", { url: site.url });
  await expect((await stage.card()).getByTestId("consent-host")).toBeVisible();
  await stage.press("consent-deny");
  expect(await third).toMatchObject({ error: { reason: "user_refused" } });
  site.close();
});

test("a host can be allowed by hand with its port, and what is no host is said to be none", async ({
  stage,
}) => {
  const { agent } = await stage.connectedAgent();
  const main = await stage.open("permissions");
  const add = async (host: string) => {
    await main.getByTestId("add-host-name").fill(host);
    await main.getByTestId("add-host").click();
  };
  await add("127.0.0.1/path");
  await expect(main.getByTestId("failure")).toContainText("This is not a valid host.");
  await add("LOCALHOST:8099");
  await expect(main.getByTestId("host-row")).toContainText(["localhost:8099"]);
  await add("nas");
  await expect(main.getByTestId("host-row")).toContainText(["localhost:8099", "nas:80", "nas:443"]);
  for (const [port, wanted] of [
    [8099, 0],
    [8098, 1],
  ] as const) {
    const called = agent.call("fetch_url", { url: `http://localhost:${port}/` });
    await expect((await stage.card()).getByTestId("consent-host")).toHaveCount(wanted);
    await stage.press("consent-deny");
    expect(await called).toMatchObject({ error: { reason: "user_refused" } });
  }
});

test("the program's own ports are refused unasked, whatever was given, and no redirect leads there", async ({
  stage,
}) => {
  const { agent } = await stage.connectedAgent();
  const { hub, ui } = stage.program.ready;
  const ours = [hub, ui].filter((url) => url.startsWith("http")).map((url) => new URL(url));
  const main = await stage.open("permissions");
  for (const { host, port } of ours) {
    const { url, close } = await openSite((_, response) => {
      response.writeHead(302, { location: `http://${host}/` }).end();
    });
    const called = agent.call("fetch_url", { url });
    await stage.card();
    await stage.press("consent-allow-once");
    expect(await called).toMatchObject({
      result: { status_code: 302, headers: { location: `http://${host}/` }, body: "", url },
    });
    close();

    await main.getByTestId("add-host-name").fill(host);
    await main.getByTestId("add-host").click();
    await expect(main.getByTestId("host-row").filter({ hasText: host })).toHaveCount(1);
    for (const name of ["127.0.0.1", "localhost", "[::1]", "0.0.0.0"]) {
      expect(await agent.call("fetch_url", { url: `http://${name}:${port}/` })).toMatchObject({
        error: { code: "TOOL_PLATFORM_ERROR", reason: "access_denied" },
      });
    }
    await stage.noCard();
  }
});
