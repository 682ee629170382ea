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
  const asked = await stage.card();
  await asked.getByTestId("consent-lasts-conversation").click();
  await expect(asked.getByTestId("consent-gives")).toContainText(`pages from ${site.host}`);
  await expect(asked.getByTestId("consent-allow-conversation")).toHaveText(
    "Allow in this conversation",
  );
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
    const isPublic = args.url.endsWith("example.com/");
    const card = await stage.card();
    await expect(card.getByTestId("consent-allow-once")).toBeVisible();
    const lasting = card.getByTestId("consent-lasts-conversation");
    await expect(lasting).toHaveCount(sends ? 0 : 1);
    if (!sends) await lasting.click();
    await expect(card.getByTestId("consent-width")).toHaveCount(!sends && isPublic ? 1 : 0);
    await stage.press("consent-deny");
    expect(await call).toMatchObject(REFUSED);
  }
  expect(seen).toEqual(["GET ", "GET ", "HEAD "]);

  const main = await stage.open("permissions");
  await expect(main.getByTestId("quiet-period-row-about")).toHaveText(
    `Pages from ${site.host} (GET and HEAD only)`,
  );
  await main.getByTestId("end-quiet-period").click();
  await expect(main.getByTestId("quiet-period-row")).toHaveCount(0);
  const last = agent.call("fetch_url", { url: site.url });
  await stage.press("consent-deny");
  expect(await last).toMatchObject(REFUSED);
  for (const each of [site, other]) each.close();
});

test("the log says why a call was not asked about, leads to the call on which that was allowed, and asks again", async ({
  stage,
}) => {
  const site = await openSite((_, response) => void response.end("hello"));
  const { agent } = await stage.connectedAgent();
  const first = agent.call("fetch_url", { url: site.url }, { callId: "first" });
  await stage.press("consent-allow-conversation");
  expect(await first).toMatchObject(OK);
  const again = { url: `${site.url}page` };
  expect(await agent.call("fetch_url", again, { callId: "second" })).toMatchObject(OK);

  const main = await stage.open("activity");
  await main.locator('[data-testid="activity-row"][data-call-id="second"]').click();
  const why = main.getByTestId("why-unasked");
  await expect(why.getByTestId("why-window")).toContainText(`Pages from ${site.host}`);
  await why.getByTestId("why-given").click();
  const rows = main.getByTestId("activity-row");
  await expect(rows).toHaveCount(1);
  await expect(rows).toHaveAttribute("data-call-id", "first");
  await expect(rows).toHaveAttribute("data-decided-by", "person");

  await main.getByTestId("activity-clear").click();
  await main.locator('[data-testid="activity-row"][data-call-id="second"]').click();
  await why.getByTestId("why-ask-again").click();
  await expect(why.getByTestId("why-window")).toHaveCount(0);
  await expect(why.getByTestId("why-gone")).toContainText("has ended or was taken back");
  await why.getByTestId("why-given").click();
  await expect(rows).toHaveAttribute("data-call-id", "first");
  const third = agent.call("fetch_url", again);
  await stage.press("consent-deny");
  expect(await third).toMatchObject(REFUSED);

  // A low one: since when it is given, and a rule that has it asked.
  const notify = () => agent.call("send_notification", { title: "Hello" });
  expect(await notify()).toHaveProperty("result");
  await main.keyboard.press("Escape");
  await main.getByTestId("activity-clear").click();
  await main.locator('[data-testid="activity-row"][data-decided-by="silent_low"]').click();
  await expect(why).toContainText("You gave this permission on");
  await why.getByTestId("why-ask-again").click();
  await expect(why).toContainText("This tool asks each time now.");
  const asked = notify();
  await stage.press("consent-deny");
  expect(await asked).toMatchObject(REFUSED);
  site.close();
});
