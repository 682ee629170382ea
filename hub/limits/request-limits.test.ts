import { expect, it } from "vitest";
import { RequestLimits } from "./request-limits.ts";

it("refuses an address and a subject after so many requests in a minute, each alone", async () => {
  const limits = new RequestLimits();
  const refused = { code: "RATE_LIMITED", params: { retry_after_ms: expect.any(Number) } };
  for (let nth = 0; nth < 3_000; nth += 1) await limits.countAddress("203.0.113.9");
  await expect(limits.countAddress("203.0.113.9")).rejects.toMatchObject(refused);
  await limits.countAddress("203.0.113.10");
  for (let nth = 0; nth < 1_200; nth += 1) await limits.countSubject("ada");
  await expect(limits.countSubject("ada")).rejects.toMatchObject(refused);
  await limits.countSubject("ben");
});

it("does not count programs of this computer by their address", async () => {
  const limits = new RequestLimits();
  for (let nth = 0; nth < 3_001; nth += 1) await limits.countAddress("127.0.0.1");
});
