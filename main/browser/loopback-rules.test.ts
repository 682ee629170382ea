import { describe, expect, test } from "vitest";
import { type LoopbackRequest, refusalOfPage, refusalOfUpgrade } from "./page-server.ts";

const PORT = 4321;
const OURS = { method: "GET", hosts: ["127.0.0.1:4321"] };
const page = (request: Partial<LoopbackRequest>) =>
  refusalOfPage({ ...OURS, origin: undefined, ...request }, PORT);
const upgrade = (request: Partial<LoopbackRequest>) =>
  refusalOfUpgrade({ ...OURS, origin: "http://127.0.0.1:4321", ...request }, PORT);

describe("a request for a page", () => {
  test("is answered under both names of this machine", () => {
    expect(page({})).toBeNull();
    expect(page({ hosts: ["localhost:4321"], method: "HEAD" })).toBeNull();
    expect(page({ hosts: ["LOCALHOST:4321"] })).toBeNull();
    expect(page({ origin: "http://127.0.0.1:4321" })).toBeNull();
  });

  test.each([
    "",
    "127.0.0.1",
    "127.0.0.1:4322",
    "localhost",
    "rebound.example:4321",
    "127.0.0.1.nip.example:4321",
    "localhost.:4321",
    "[::1]:4321",
    "evil@127.0.0.1:4321",
    "127.0.0.1:4321, evil.example",
  ])("under the foreign host %j is misdirected", (host) => {
    expect(page({ hosts: [host] })).toEqual({ status: 421, why: "foreign_host" });
  });

  test("under no host is misdirected, and under two is malformed", () => {
    expect(page({ hosts: [] })).toEqual({ status: 421, why: "foreign_host" });
    for (const second of ["127.0.0.1:4321", "evil.example"]) {
      const hosts = ["127.0.0.1:4321", second];
      expect(page({ hosts })).toEqual({ status: 400, why: "many_hosts" });
      expect(page({ hosts: hosts.toReversed() })).toEqual({ status: 400, why: "many_hosts" });
    }
  });

  test.each([
    "",
    "null",
    "http://evil.example",
    "https://127.0.0.1:4321",
    "http://127.0.0.1",
    "http://127.0.0.1:4322",
    "http://localhost:4321",
    "http://127.0.0.1:4321.evil.example",
  ])("from the foreign origin %j is forbidden", (origin) => {
    expect(page({ origin })).toEqual({ status: 403, why: "foreign_origin" });
  });

  test.each(["POST", "PUT", "OPTIONS", "TRACE", undefined])("by %s is not allowed", (method) => {
    expect(page({ method })).toEqual({ status: 405, why: "method_not_allowed" });
  });
});

describe("an upgrade", () => {
  test("from our own page is accepted", () => {
    expect(upgrade({})).toBeNull();
    expect(upgrade({ hosts: ["localhost:4321"], origin: "http://localhost:4321" })).toBeNull();
  });

  test("without an Origin is forbidden", () => {
    expect(upgrade({ origin: undefined })).toEqual({ status: 403, why: "foreign_origin" });
  });

  test("under a foreign host is misdirected even with a matching origin", () => {
    const rebound = { hosts: ["evil.example:4321"], origin: "http://evil.example:4321" };
    expect(upgrade(rebound)).toEqual({ status: 421, why: "foreign_host" });
  });

  test("under two hosts is malformed", () => {
    const hosts = ["127.0.0.1:4321", "127.0.0.1:4321"];
    expect(upgrade({ hosts })).toEqual({ status: 400, why: "many_hosts" });
  });
});
