import { describe, expect, test } from "vitest";
import { CALLS } from "../../app/bridge/calls.ts";
import {
  heldOpen,
  rawRequest,
  requestText,
  UPGRADE_HEADERS,
} from "../../hub/testing/raw-request.ts";
import { HELLO_MS, MALFORMED_AT_MOST } from "./bridge-connection.ts";
import { startTestHost, tokenOf } from "./testing/running-host.ts";
import { openPage, type TestPage } from "./testing/test-page.ts";

const HUB_OFF = { url: "http://127.0.0.1:1", own: true, connected: false, fault: null };

/** A call of the page's; resolves when it is answered. */
async function said(page: TestPage, name: string, args: object): Promise<void> {
  page.send({ type: "call", id: 0, name, args });
  await page.next();
}

async function hello(page: TestPage, token: string) {
  page.send({ type: "hello", token });
  return page.next();
}

describe("a tab without a session", () => {
  const from = (port: number) => ({ origin: `http://127.0.0.1:${port}` });

  test("has a new page opened in the person's browser, and learns nothing of its link", async () => {
    const host = await startTestHost();
    const before = host.opened.length;
    const { status, body } = await host.ask("/open", from(host.port), "POST");
    expect([status, body]).toEqual([200, "opened\n"]);
    expect(host.opened.length).toBe(before + 1);
    const page = await openPage(host.port);
    expect(await hello(page, tokenOf(host.opened.at(-1) ?? ""))).toMatchObject({ type: "welcome" });
  });

  test("cannot use up the links that wait by asking again and again", async () => {
    const host = await startTestHost();
    const ask = async () => (await host.ask("/open", from(host.port), "POST")).status;
    expect([await ask(), await ask()]).toEqual([200, 503]);
    await host.time.advance(3_000);
    expect(await ask()).toBe(200);
  });

  test("has nothing opened by another site, by an address, or without an origin", async () => {
    const host = await startTestHost();
    const before = host.opened.length;
    const asked = [
      await host.ask("/open", { origin: "https://example.com" }, "POST"),
      await host.ask("/open", {}, "POST"),
      await host.ask("/open", from(host.port)),
    ];
    expect(asked.map(({ status }) => status)).toEqual([403, 403, 405]);
    expect(host.opened.length).toBe(before);
  });
});

describe("the port", () => {
  const memory = () => {
    const kept = new Map<string, string>();
    const putValue = async (name: string, value: string) => void kept.set(name, value);
    return { value: (name: string) => kept.get(name), putValue };
  };

  test("is the one of before, so that a tab that outlived the program finds it again", async () => {
    const kept = memory();
    const before = await startTestHost({ memory: kept });
    await before.close();
    const again = await startTestHost({ memory: kept });
    expect(again.port).toBe(before.port);
    const { status } = await again.ask(
      "/open",
      { origin: `http://127.0.0.1:${again.port}` },
      "POST",
    );
    expect(status).toBe(200);
  });

  test("is another one where that is taken, but not where it was asked for", async () => {
    const kept = memory();
    const { port } = await startTestHost({ memory: kept });
    const other = await startTestHost({ memory: kept });
    expect(other.port).not.toBe(port);
    await expect(startTestHost({ memory: kept, port })).rejects.toThrow(`Port ${port}`);
  });
});

describe("the files", () => {
  test("are served with their types and without being cached across starts", async () => {
    const host = await startTestHost();
    const index = await host.ask("/");
    expect(index.status).toBe(200);
    expect(index.body).toContain("<title>main</title>");
    expect(index.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(index.headers["cache-control"]).toBe("no-store");
    const script = await host.ask("/assets/main.js?v=1");
    expect(script.headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect((await host.ask("/", {}, "HEAD")).body).toBe("");
  });

  test.each(["/", "/assets/main.js", "/absent"])("%s carries the strict headers", async (path) => {
    const { headers } = await (await startTestHost()).ask(path);
    const policy = String(headers["content-security-policy"]);
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]) {
      expect(policy.split("; ")).toContain(rule);
    }
    expect(policy).not.toContain("unsafe");
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(headers["permissions-policy"]).toContain("clipboard-read=(self)");
    expect(headers["permissions-policy"]).toContain("geolocation=(self)");
    expect(headers["set-cookie"]).toBeUndefined();
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("a page may connect to its own host and nowhere else", async () => {
    const host = await startTestHost();
    const { headers } = await host.ask("/");
    expect(headers["content-security-policy"]).toContain(
      `connect-src 'self' ws://127.0.0.1:${host.port};`,
    );
  });

  test.each([
    "/absent",
    "/../package.json",
    "/assets/../../package.json",
    "/assets/%2e%2e/%2e%2e/package.json",
    "/..%2fpackage.json",
    "/assets",
    "//etc/passwd",
    "/assets\\main.js",
    "/__proto__",
  ])("%s is not found", async (path) => {
    expect((await (await startTestHost()).ask(path)).status).toBe(404);
  });

  test("a rebound name, a foreign origin and another method are refused", async () => {
    const host = await startTestHost();
    expect((await host.ask("/", { Host: `evil.example:${host.port}` })).status).toBe(421);
    expect((await host.ask("/", { Origin: "http://evil.example" })).status).toBe(403);
    expect((await host.ask("/", {}, "POST")).status).toBe(405);
  });
});

describe("the upgrade", () => {
  test("from a foreign page, a rebound name or no page at all is refused", async () => {
    const { port } = await startTestHost();
    await expect(openPage(port, { origin: "http://evil.example" })).rejects.toThrow("refused 403");
    await expect(openPage(port, { origin: null })).rejects.toThrow("refused 403");
    await expect(openPage(port, { host: `evil.example:${port}` })).rejects.toThrow("refused 421");
  });
});

test("what names more than one Host is refused, whichever comes first", async () => {
  const { port } = await startTestHost();
  const ours = `127.0.0.1:${port}`;
  for (const hosts of [
    [ours, "evil.example"],
    ["evil.example", ours],
    [ours, ours],
  ]) {
    const lines = hosts.map((host) => `Host: ${host}`);
    const upgrade = [...lines, `Origin: http://${ours}`, ...UPGRADE_HEADERS];
    for (const text of [
      requestText("GET", "/", lines),
      requestText("GET", "/export/any", lines),
      requestText("GET", "/bridge", upgrade),
    ]) {
      expect(await rawRequest(port, text)).toMatch(/^HTTP\/1\.1 400 /);
    }
  }
});

describe("the hello", () => {
  test("with the address's token is welcomed, and the same token never again", async () => {
    const { port, ui } = await startTestHost();
    const first = await openPage(port);
    const welcome = await hello(first, tokenOf(ui));
    expect(welcome).toEqual({ type: "welcome", session: expect.any(String) });
    const second = await openPage(port);
    expect(await hello(second, tokenOf(ui))).toEqual({ type: "refused" });
    expect(await second.closed()).toBe(1008);
  });

  test("with the session's secret opens the page again", async () => {
    const { port, ui } = await startTestHost();
    const { session } = await hello(await openPage(port), tokenOf(ui));
    const again = await hello(await openPage(port), String(session));
    expect(again).toEqual({ type: "welcome", session });
  });

  const call = { type: "call", id: 1, name: "app.snapshot", args: {} };
  test.each([
    ["with a guess is refused, and what follows is not heard", { type: "hello", token: "guess" }],
    ["must be the first frame: a call before it reaches nobody", call],
  ])("%s", async (_, first) => {
    const { port, fake } = await startTestHost();
    const page = await openPage(port);
    page.send(first);
    page.send(call);
    expect(await page.next()).toEqual({ type: "refused" });
    await page.closed();
    expect(fake.asked).toEqual([]);
  });

  test("must come within five seconds, nothing is told to a page before it, and its key stays good", async () => {
    const { port, ui, fake, time } = await startTestHost();
    const page = await openPage(port);
    const told: unknown[] = [];
    void page.next().then((frame) => told.push(frame));
    fake.emit("hub.changed", { ...HUB_OFF, connected: true });
    time.pass(HELLO_MS);
    page.send({ type: "hello", token: tokenOf(ui) });
    expect(await page.closed()).toBe(1008);
    expect(told).toEqual([]);
    expect(await hello(await openPage(port), tokenOf(ui))).toMatchObject({ type: "welcome" });
  });

  test("once made, its time limit is over", async () => {
    const host = await startTestHost();
    const page = await host.enter();
    host.time.pass(HELLO_MS);
    page.send(call);
    expect(await page.next()).toMatchObject({ type: "reply", id: 1 });
  });
});

describe("the address", () => {
  test("given to the browser has another token than the one printed", async () => {
    const { ui, opened, port } = await startTestHost();
    expect(opened).toHaveLength(1);
    expect(opened[0]).not.toBe(ui);
    const page = await openPage(port);
    expect(await hello(page, tokenOf(opened[0] ?? ""))).toMatchObject({ type: "welcome" });
  });

  test("is a new one each time the UI is asked for", async () => {
    const host = await startTestHost();
    expect(host.raise()).not.toBe(host.ui);
    expect(host.opened).toHaveLength(2);
    expect(host.ui).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
  });
});

describe("a page that was let in", () => {
  test("may make every call, and gets its reply by id", async () => {
    const host = await startTestHost();
    const page = await host.enter();
    host.fake.answerWith(() => ({ ok: false, code: "not_offered" }));
    page.send({ type: "call", id: "a", name: "consent.answer", args: { x: 1 } });
    expect(await page.next()).toEqual({
      type: "reply",
      id: "a",
      reply: { ok: false, code: "not_offered" },
    });
    const said = { name: "consent.answer", args: { x: 1 } };
    const found = { senderAllowed: true, allowed: Object.keys(CALLS), inSightMs: null };
    expect(host.fake.asked).toEqual([{ ...said, ...found }]);
  });

  test("is in sight for no longer than the screen has been unlocked", async () => {
    let unlocked: number | null = null;
    const host = await startTestHost({ unlockedMs: () => unlocked });
    const page = await host.enter();
    await said(page, "page.attended", { in_view: true });
    host.fake.asked.length = 0;
    for (unlocked of [null, 400]) await said(page, "consent.opened", { request_id: "r" });
    expect(host.fake.asked.map(({ inSightMs }) => inSightMs)).toEqual([null, 400]);
  });

  test("is not in sight while the person uses another, until they come back to it", async () => {
    const host = await startTestHost();
    const [page, other] = [await host.enter(), await host.enter()];
    const isSeenAt = async (one: TestPage) => {
      await said(one, "consent.opened", { request_id: "r" });
      return host.fake.asked.at(-1)?.inSightMs !== null;
    };
    for (const used of [page, other, page]) {
      await said(used, "page.attended", { in_view: true });
      expect(await isSeenAt(page)).toBe(used === page);
      expect(await isSeenAt(other)).toBe(used === other);
    }
  });

  test("is told internal_error when answering fails, without the reason", async () => {
    const host = await startTestHost();
    const page = await host.enter();
    host.fake.answerWith(() => Promise.reject(new Error("inside")));
    page.send({ type: "call", id: 7, name: "app.snapshot", args: {} });
    expect(await page.next()).toEqual({
      type: "reply",
      id: 7,
      reply: { ok: false, code: "internal_error" },
    });
  });

  test("hears events, as every other page does, until it leaves", async () => {
    const host = await startTestHost();
    const before = host.fake.listeners();
    const [one, other] = [await host.enter(), await host.enter()];
    host.fake.emit("hub.changed", HUB_OFF);
    const event = { type: "event", name: "hub.changed", event: HUB_OFF };
    expect([await one.next(), await other.next()]).toEqual([event, event]);
    await one.leave();
    await expect.poll(() => host.fake.listeners()).toBe(before + 1);
  });

  test("has a malformed call refused by its id and may go on", async () => {
    const host = await startTestHost();
    const page = await host.enter();
    page.send({ type: "call", id: 3, name: "app.snapshot", args: {}, extra: true });
    const reply = { ok: false, code: "invalid_arguments" };
    expect(await page.next()).toEqual({ type: "reply", id: 3, reply });
    page.sendText('{"type":"call","id":4,"id":5,"name":"app.snapshot","args":{}}');
    page.send({ type: "call", id: 6, name: "app.snapshot", args: {} });
    expect(await page.next()).toMatchObject({ id: 6, reply: { ok: true } });
    expect(host.fake.asked).toHaveLength(1);
  });

  test("is closed after twenty malformed frames", async () => {
    const host = await startTestHost();
    const page = await host.enter();
    for (let sent = 0; sent < MALFORMED_AT_MOST; sent += 1) page.sendText(new Uint8Array([1]));
    expect(await page.closed()).toBe(1008);
    expect(host.fake.asked).toEqual([]);
  });

  test("is closed for a frame over 4 MiB", async () => {
    const host = await startTestHost();
    const page = await host.enter();
    page.sendText("x".repeat(4 * 1024 * 1024 + 1));
    expect(await page.closed()).toBe(1009);
  });
});

test("a port that is taken is a coded error", async () => {
  const { port } = await startTestHost();
  await expect(startTestHost({ port })).rejects.toMatchObject({ code: "port_in_use" });
});

test("a click on the system's notification opens a page at its conversation", async () => {
  const host = await startTestHost();
  host.system.opened({ agentId: "a&token=x", conversationId: "c/1" });
  const named = new URLSearchParams(new URL(host.opened.at(-1) ?? "").hash.slice(1));
  expect([named.get("agent"), named.get("conversation")]).toEqual(["a&token=x", "c/1"]);
  const page = await openPage(host.port);
  expect(await hello(page, named.get("token") ?? "")).toMatchObject({ type: "welcome" });
});

test("what waits for clicks ends with the host", async () => {
  const host = await startTestHost();
  expect(host.system.ended.aborted).toBe(false);
  await host.close();
  expect(host.system.ended.aborted).toBe(true);
});

test("a client that keeps a refused upgrade open does not keep the host from closing", async () => {
  const host = await startTestHost();
  const headers = [`Host: 127.0.0.1:${host.port}`, ...UPGRADE_HEADERS];
  const held = await heldOpen(host.port, requestText("GET", "/bridge", headers));
  await host.close();
  held.destroy();
});

test("closing the host closes its pages and frees its port", async () => {
  const host = await startTestHost();
  const page = await host.enter();
  await host.close();
  await page.closed();
  const next = await startTestHost({ port: host.port });
  expect(next.port).toBe(host.port);
});
