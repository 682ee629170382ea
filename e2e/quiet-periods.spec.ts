import { expect, test } from "./support/fixtures.ts";
import { openSite } from "./support/site.ts";

const OK = { result: { status_code: 200, body: "hello" } };
const REFUSED = { error: { reason: "user_refused" } };

test("a page that was allowed in a conversation makes its host quiet, and nothing else", async ({
  stage,
}) => {
  const seen: string[] = [];
  const site = await openSite(async (request, response) => {
    const body = await request.setEncoding("utf8").toArray();
    seen.push(`${request.method} ${body.join("")}`);
    response.end("hello");
  });
  const other = await openSite((_, response) => {
    seen.push("at the other site");
    response.end();
  });
  const { agent } = await stage.connectedAgent();
  const first = agent.call("fetch_url", { url: site.url });
  const button = (await stage.card()).getByTestId("consent-allow-conversation");
  await expect(button).toHaveText(`Allow ${site.host} in this conversation`);
  await stage.press("consent-allow-conversation");
  expect(await first).toMatchObject(OK);

  expect(await agent.call("fetch_url", { url: `${site.url}page?b` })).toMatchObject(OK);
  expect(await agent.call("fetch_url", { url: site.url, method: "HEAD" })).toMatchObject({
    result: { status_code: 200 },
  });
  await stage.noCard();

  const ASKED = [
    { url: site.url, method: "POST", body: "secret" },
    { url: "http://evil.example/", method: "POST", body: "secret" },
    { url: site.url, headers: { Authorization: "Bearer x" } },
    { url: other.url },
    { url: site.url.replace("127.0.0.1", "localhost") },
    { url: "https://example.com/" },
  ];
  for (const args of ASKED) {
    const call = agent.call("fetch_url", args);
    const sends = "body" in args || "headers" in args;
    const card = await stage.card();
    await expect(card.getByTestId("consent-allow-once")).toBeVisible();
    await expect(card.getByTestId("consent-allow-conversation")).toHaveCount(sends ? 0 : 1);
    await expect(card.getByTestId("consent-allow-scope")).toHaveCount(sends ? 0 : 1);
    await stage.press("consent-deny");
    expect(await call).toMatchObject(REFUSED);
  }
  expect(seen).toEqual(["GET ", "GET ", "HEAD "]);

  const main = await stage.open("permissions");
  await expect(main.getByTestId("quiet-period-covers")).toHaveText(
    `Pages from ${site.host} (GET and HEAD only)`,
  );
  await main.getByTestId("end-quiet-period").click();
  await expect(main.getByTestId("quiet-period-row")).toHaveCount(0);
  const last = agent.call("fetch_url", { url: site.url });
  await stage.press("consent-deny");
  expect(await last).toMatchObject(REFUSED);
  for (const each of [site, other]) each.close();
});
