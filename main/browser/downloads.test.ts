import { request } from "node:http";
import { beforeEach, describe, expect, it } from "vitest";
import type { OutgoingFile } from "../client/host-port.ts";
import { TICKET_MS } from "./entry-keys.ts";
import { startTestHost, type TestHost } from "./testing/running-host.ts";

let host: TestHost;
beforeEach(async () => {
  host = await startTestHost();
});

const file = (content = "one,two\r\n"): OutgoingFile => ({
  name: "consentry-log.csv",
  mediaType: "text/csv; charset=utf-8",
  async *open() {
    yield new TextEncoder().encode(content);
  },
});

async function pathOf(outgoing: OutgoingFile): Promise<string> {
  const delivery = await host.deliverFile(outgoing);
  if (delivery.kind !== "download") throw new Error(delivery.kind);
  return delivery.path;
}

describe("a file for the person", () => {
  it("is an attachment that nothing keeps and nothing runs", async () => {
    const { status, headers, body } = await host.ask(await pathOf(file()));
    expect([status, body]).toEqual([200, "one,two\r\n"]);
    expect(headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="consentry-log.csv"',
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
  });

  it("is given once", async () => {
    const path = await pathOf(file());
    expect((await host.ask(path)).status).toBe(200);
    expect((await host.ask(path)).status).toBe(404);
  });

  it("is not given for any other ticket, or none", async () => {
    const path = await pathOf(file());
    for (const other of ["/export/", "/export/x", `${path}x`, path.slice(0, -1), "/export"]) {
      expect((await host.ask(other)).status, other).toBe(404);
    }
    expect((await host.ask(path)).status).toBe(200);
  });

  it("is not given to another site, another name of this server, or a look at the headers", async () => {
    const path = await pathOf(file());
    const own = `http://127.0.0.1:${host.port}`;
    expect((await host.ask(path, { Host: "evil.example" })).status).toBe(421);
    expect((await host.ask(path, { Origin: "https://evil.example" })).status).toBe(403);
    expect((await host.ask(path, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
    expect((await host.ask(path, { "Sec-Fetch-Site": "same-site" })).status).toBe(403);
    expect((await host.ask(path, {}, "HEAD")).status).toBe(405);
    expect((await host.ask(path, {}, "POST")).status).toBe(405);
    const ours = { Origin: own, "Sec-Fetch-Site": "same-origin" };
    expect((await host.ask(path, ours)).status).toBe(200);
  });

  it("is given up when nobody takes it in time, or too many others wait", async () => {
    const late = await pathOf(file());
    host.time.pass(TICKET_MS);
    expect((await host.ask(late)).status).toBe(404);
    const first = await pathOf(file());
    for (let more = 0; more < 16; more += 1) await pathOf(file());
    expect((await host.ask(first)).status).toBe(404);
  });

  it("is cut off, and not ended, where it cannot be read to its end", async () => {
    const broken: OutgoingFile = {
      ...file(),
      async *open() {
        yield new Uint8Array(10);
        throw new Error("the log went away");
      },
    };
    expect((await host.ask(await pathOf(broken))).body).toBe("cut off");
  });

  it("is let go of when the browser stops taking it", async () => {
    const closed = Promise.withResolvers<void>();
    const endless: OutgoingFile = {
      ...file(),
      async *open() {
        try {
          for (;;) yield new Uint8Array(65_536);
        } finally {
          closed.resolve();
        }
      },
    };
    const path = await pathOf(endless);
    const taking = request({ host: "127.0.0.1", port: host.port, path }, (response) => {
      response.once("data", () => taking.destroy());
    });
    taking.on("error", () => {});
    taking.end();
    await closed.promise;
  });
});
