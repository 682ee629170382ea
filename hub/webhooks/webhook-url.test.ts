import type { LookupFunction } from "node:net";
import { describe, expect, it } from "vitest";
import { guardedLookup } from "./guarded-lookup.ts";
import { checkedWebhookUrl } from "./webhook-url.ts";

describe("a webhook's address", () => {
  it.each([
    ["https://agent.example/hook", "https://agent.example/hook"],
    ["https://8.8.8.8:8443/", "https://8.8.8.8:8443/"],
    ["http://127.0.0.1:8080/hook", "http://127.0.0.1:8080/hook"],
    ["http://[::1]:8080", "http://[::1]:8080/"],
    ["http://localhost/", "http://localhost/"],
    ["https://2130706433/", "https://127.0.0.1/"],
  ])("may be %s", (text, href) => {
    expect(checkedWebhookUrl(text)).toBe(href);
  });

  it.each([
    ["nonsense", "not_a_url"],
    ["http://agent.example/", "not_https"],
    ["http://192.168.0.1/", "not_https"],
    ["ftp://127.0.0.1/", "not_https"],
    ["https://user:pass@agent.example/", "has_credentials"],
    ["https://10.0.0.1/", "private_address"],
    ["https://0x0a000001/", "private_address"],
    ["https://169.254.169.254/latest", "private_address"],
    ["https://0.0.0.0/", "private_address"],
    ["https://[fd00::1]/", "private_address"],
    ["https://[::ffff:10.0.0.1]/", "private_address"],
  ])("may not be %s: %s", (text, fault) => {
    expect(() => checkedWebhookUrl(text)).toThrow(
      expect.objectContaining({ code: "WEBHOOK_URL_REFUSED", params: { fault } }),
    );
  });
});

describe("a name", () => {
  const resolving =
    (...addresses: string[]): LookupFunction =>
    (_, __, answer) =>
      answer(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );

  const lookUp = (url: string, lookup: LookupFunction, all: boolean) =>
    new Promise((resolve) => {
      guardedLookup(new URL(url), lookup)("name", { all }, (error, found) =>
        resolve(error === null ? found : error.message),
      );
    });

  it("leads only to public addresses", async () => {
    const lookup = resolving("10.0.0.1", "8.8.8.8", "::1");
    expect(await lookUp("https://agent.example", lookup, true)).toEqual([
      { address: "8.8.8.8", family: 4 },
    ]);
    expect(await lookUp("https://agent.example", lookup, false)).toBe("8.8.8.8");
  });

  it("that is rebound to a private address leads nowhere", async () => {
    for (const address of ["127.0.0.1", "192.168.1.1", "::1", "169.254.169.254"]) {
      expect(await lookUp("https://agent.example", resolving(address), true)).toBe(
        "webhook_address_refused",
      );
    }
  });

  it("localhost leads to loopback and nowhere else", async () => {
    const lookup = resolving("8.8.8.8", "127.0.0.1");
    expect(await lookUp("http://localhost", lookup, false)).toBe("127.0.0.1");
    expect(await lookUp("http://localhost", resolving("8.8.8.8"), false)).toBe(
      "webhook_address_refused",
    );
  });
});
