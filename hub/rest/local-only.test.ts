import { expect, it } from "vitest";
import { callerAddress } from "./local-only.ts";

const from = (remoteAddress: string, forwarded?: string, proxies = ["10.0.0.1"]) =>
  callerAddress(
    {
      socket: { remoteAddress } as never,
      headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
    },
    proxies,
  );

it("takes the proxy's last word about who asks, and nobody else's", () => {
  expect(from("10.0.0.1", "1.1.1.1, 203.0.113.9")).toBe("203.0.113.9");
  expect(from("::ffff:10.0.0.1", "203.0.113.9")).toBe("203.0.113.9");
  expect(from("127.0.0.1", "203.0.113.9")).toBe("127.0.0.1");
  expect(from("203.0.113.9", "10.0.0.1", [])).toBe("203.0.113.9");
});

it("lets nobody past the proxy", () => {
  expect(() => from("10.0.0.2")).toThrow("FORBIDDEN");
});
