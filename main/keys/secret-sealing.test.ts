import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hostKeyFrom } from "./host-key.ts";
import type { KeyVault } from "./open-host-key.ts";
import { secretSealing } from "./sealed-records.ts";

const SECRET = "sk-Ä-1";
const hostKey = hostKeyFrom(randomBytes(32));

/** One that hides nothing, which can be seen in what it wrapped. */
const vaultWith = (over: Partial<KeyVault> = {}): KeyVault => ({
  available: async () => true,
  wrap: async (key) => Buffer.from(key).reverse(),
  unwrap: async (wrapped) => ({ key: Buffer.from(wrapped).reverse(), stale: false }),
  ...over,
});

describe("a secret that the person typed", () => {
  it("lies under the host key where there is no vault", async () => {
    const sealing = secretSealing(hostKey, null);
    const sealed = await sealing.seal(SECRET);
    expect(sealed).not.toContain(Buffer.from(SECRET).toString("base64"));
    expect(await sealing.open(sealed)).toBe(SECRET);
    expect(await secretSealing(hostKeyFrom(randomBytes(32)), null).open(sealed)).toBeNull();
    expect(await sealing.open(sealed.slice(0, -8))).toBeNull();
  });

  it("lies in the system's vault where there is one, and opens nowhere else", async () => {
    const sealed = await secretSealing(hostKey, vaultWith()).seal(SECRET);
    expect(sealed).toBe(`system:${Buffer.from(SECRET).reverse().toString("base64")}`);
    expect(await secretSealing(hostKey, vaultWith()).open(sealed)).toBe(SECRET);
    expect(await secretSealing(hostKey, null).open(sealed)).toBeNull();
    expect(
      await secretSealing(hostKey, vaultWith({ unwrap: async () => null })).open(sealed),
    ).toBeNull();
  });

  it("lies under the host key where the vault protects nothing, and opens when there is one later", async () => {
    const nothing = vaultWith({ available: async () => false });
    const sealed = await secretSealing(hostKey, nothing).seal(SECRET);
    expect(await secretSealing(hostKey, vaultWith()).open(sealed)).toBe(SECRET);
  });
});
