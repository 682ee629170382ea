import { describe, expect, it } from "vitest";
import {
  hasClosedInternet,
  inClosedInternet,
  OWN_PUBLIC,
} from "../../runtime/net/testing/closed-internet.ts";
import { testCertificate } from "../../runtime/net/testing/test-certificate.ts";
import type { WebhookAttempt, WebhookOutcome } from "../testing/webhooks-in-closed-internet.ts";

const PUBLIC = "93.184.215.14";
const ANOTHER = "198.41.0.4";
const SCRIPT = new URL("../testing/webhooks-in-closed-internet.ts", import.meta.url);
const certificate = testCertificate("hook.test");

interface Case extends Omit<WebhookAttempt, "status"> {
  readonly status?: 200 | 500;
  readonly connected: readonly string[];
}

const refused = (...addresses: string[]): Case => ({ answer: { addresses }, connected: [] });

/** One after the other: the retries of the first delivery, then the next one and its retries. */
const ATTEMPTS: readonly Case[] = [
  { answer: { addresses: [PUBLIC] }, connected: [PUBLIC] },
  refused("127.0.0.1"),
  { answer: { addresses: ["10.0.0.1", ANOTHER, "::1"] }, connected: [ANOTHER] },
  { ...refused(), answer: { aliases: ["a.test", "inside.test"], addresses: ["192.168.0.1"] } },
  refused("::ffff:127.0.0.1", "64:ff9b::7f00:1"),
  refused("0.0.0.0"),
  refused(OWN_PUBLIC),
  { answer: { aliases: ["a.test"], addresses: [PUBLIC] }, status: 200, connected: [PUBLIC] },
  refused("127.0.0.1", "::1"),
  { answer: { addresses: [PUBLIC] }, status: 200, connected: [PUBLIC] },
];

async function connected(url: string, cases: readonly Case[]): Promise<WebhookOutcome> {
  const attempts = cases.map(({ answer, status = 500 }) => ({ answer, status }));
  const found = await inClosedInternet(SCRIPT, { url, certificate, attempts });
  return found as WebhookOutcome;
}

// The system's own resolver asks a name server of the test's; all the addresses it is told lead to a
// server of the test's, which says by which one it was reached. Skipped where no such network can be made.
describe.skipIf(!hasClosedInternet || certificate === null)(
  "a webhook (needs unshare, ip, user namespaces and openssl)",
  () => {
    it("is looked up for each attempt, and connects to what was checked and to nothing inside", async () => {
      const reached = await connected("https://hook.test/in", ATTEMPTS);
      expect(reached).toEqual(ATTEMPTS.map((each) => each.connected));
    });

    it("at an address that has become this computer's own is not called", async () => {
      const reached = await connected(`https://${OWN_PUBLIC}/in`, [refused(), refused()]);
      expect(reached).toEqual([[], []]);
    });
  },
);
