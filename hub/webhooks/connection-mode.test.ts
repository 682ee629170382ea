import { describe, expect, it } from "vitest";
import type { NetworkView } from "../../runtime/net/addresses.ts";
import { HOSTILE_ADDRESSES, urlHost } from "../../runtime/net/testing/hostile-addresses.ts";
import { checkedWebhookUrl, isLoopbackHost } from "./connection-mode.ts";
import { guardedLookup, mayCall } from "./post-delivery.ts";

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
      expect.objectContaining({ code: "WEBHOOK_URL_REFUSED", details: { fault } }),
    );
  });
});

const resolving = (...addresses: string[]) => ({
  lookupAll: async () => addresses,
  ownAddresses: () => ["9.9.9.9"],
});

const lookUp = (url: string, network: NetworkView, all: boolean) =>
  new Promise((resolve) => {
    guardedLookup(new URL(url), network)("name", { all }, (error, found) =>
      resolve(error === null ? found : error.message),
    );
  });

describe("no delivery goes to", () => {
  it.each([...HOSTILE_ADDRESSES, "9.9.9.9"])("%s, by whatever way it is named", async (address) => {
    const network = resolving(address);
    expect(await lookUp("https://agent.example", network, true)).toBe("no_address");
    const url = URL.parse(`https://${urlHost(address)}/`);
    // Loopback may be named, not looked up.
    if (url === null || isLoopbackHost(url)) return;
    expect(mayCall(url, network)).toBe(false);
    const register = () => checkedWebhookUrl(url.href);
    // What is this computer's own by now need not have been when it was registered.
    if (address !== "9.9.9.9") expect(register).toThrow("WEBHOOK_URL_REFUSED");
  });
});

describe("a name", () => {
  it("leads only to public addresses", async () => {
    const lookup = resolving("10.0.0.1", "8.8.8.8", "::1");
    expect(await lookUp("https://agent.example", lookup, true)).toEqual([
      { address: "8.8.8.8", family: 4 },
    ]);
    expect(await lookUp("https://agent.example", lookup, false)).toBe("8.8.8.8");
  });

  it("localhost leads to loopback and nowhere else", async () => {
    const lookup = resolving("8.8.8.8", "127.0.0.1");
    expect(await lookUp("http://localhost", lookup, false)).toBe("127.0.0.1");
    expect(await lookUp("http://localhost", resolving("8.8.8.8"), false)).toBe("no_address");
  });
});
