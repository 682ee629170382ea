import type { LookupFunction } from "node:net";
import { describe, expect, it } from "vitest";
import { isPublicAddress as isPublicToTools } from "../../main/tools/fetch/address-rules.ts";
import { guardedLookup } from "./guarded-lookup.ts";
import { isPublicAddress } from "./public-address.ts";
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

it("judges addresses as the tool that fetches pages does", () => {
  const nets = [0, 10, 100, 127, 169, 172, 192, 198, 203, 224, 240, 255, 8, 93, 168];
  const v4 = nets.flatMap((first) =>
    [0, 2, 16, 18, 51, 63, 64, 88, 168, 254].flatMap((second) =>
      [0, 2, 99, 100, 113, 129].map((third) => `${first}.${second}.${third}.16`),
    ),
  );
  const v6 = [
    "::",
    "::1",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "2001::1",
    "2001:db8::1",
    "2002::1",
  ];
  const others = [
    "2606:4700::1",
    "3fff::1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "ff02::1",
    "name",
  ];
  for (const address of [...v4, ...v6, ...others]) {
    expect([address, isPublicAddress(address)]).toEqual([address, isPublicToTools(address)]);
  }
});
