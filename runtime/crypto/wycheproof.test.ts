import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { nodePrimitives as crypto } from "./node-primitives.ts";

const vectors =
  process.env.CONSENTRY_VECTORS ?? path.resolve(import.meta.dirname, "../../../../shared/vectors");

interface Case {
  readonly tcId: number;
  readonly result: "valid" | "invalid" | "acceptable";
  readonly flags?: readonly string[];
}
type Hex<Name extends string> = { readonly [N in Name]: string };
interface Group<Test> {
  readonly tests: readonly (Case & Test)[];
}

/** Depending on the version, published in one of two folders. */
function findVectors(name: string): string | undefined {
  return ["testvectors_v1", "testvectors", "."]
    .map((folder) => path.join(vectors, "wycheproof", folder, name))
    .find((file) => existsSync(file));
}

const readGroups = <G>(file: string): readonly G[] =>
  JSON.parse(readFileSync(file, "utf8")).testGroups;

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "hex"));
const toHex = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : Buffer.from(bytes).toString("hex");

type Outcome = "right" | "refused" | "wrong";

/** `acceptable` cases may be refused, but must never give another result. */
const passes = ({ result }: Case, outcome: Outcome): boolean => {
  if (result === "acceptable") return outcome !== "wrong";
  return outcome === (result === "valid" ? "right" : "refused");
};

async function failuresOf<G extends Group<unknown>>(
  groups: readonly G[],
  isOurs: (group: G) => boolean,
  judge: (group: G, test: G["tests"][number]) => Promise<Outcome>,
): Promise<{ readonly tried: number; readonly failed: readonly number[] }> {
  const failed: number[] = [];
  let tried = 0;
  for (const group of groups.filter(isOurs)) {
    for (const test of group.tests) {
      tried += 1;
      if (!passes(test, await judge(group, test))) failed.push(test.tcId);
    }
  }
  return { tried, failed };
}

const compare = (got: string | null, wanted: string): Outcome =>
  got === null ? "refused" : got === wanted ? "right" : "wrong";

describe("Wycheproof's vectors", () => {
  it("hold for X25519", async (ctx) => {
    const file = findVectors("x25519_test.json");
    if (file === undefined) return ctx.skip("Wycheproof not found: set CONSENTRY_VECTORS");
    type G = Group<Hex<"public" | "private" | "shared">> & { readonly curve: string };
    const outcome = await failuresOf(
      readGroups<G>(file),
      ({ curve }) => curve === "curve25519",
      async (_, test) =>
        compare(toHex(await crypto.x25519(hex(test.private), hex(test.public))), test.shared),
    );
    expect(outcome.failed).toEqual([]);
    expect(outcome.tried).toBeGreaterThan(100);
  });

  it("hold for Ed25519", async (ctx) => {
    const file = findVectors("ed25519_test.json") ?? findVectors("eddsa_test.json");
    if (file === undefined) return ctx.skip("Wycheproof not found: set CONSENTRY_VECTORS");
    // The key is in `publicKey` from version 1 on, in `key` before.
    type G = Group<Hex<"msg" | "sig">> & {
      readonly publicKey?: Hex<"pk">;
      readonly key?: Hex<"pk">;
    };
    const outcome = await failuresOf(
      readGroups<G>(file),
      () => true,
      async ({ publicKey, key }, { msg, sig }) => {
        const raw = hex((publicKey ?? key)?.pk ?? "");
        return (await crypto.ed25519Verify(raw, hex(msg), hex(sig))) ? "right" : "refused";
      },
    );
    expect(outcome.failed).toEqual([]);
    expect(outcome.tried).toBeGreaterThan(50);
  });

  it("hold for AES-256-GCM with the sizes used here", async (ctx) => {
    const file = findVectors("aes_gcm_test.json");
    if (file === undefined) return ctx.skip("Wycheproof not found: set CONSENTRY_VECTORS");
    type G = Group<Hex<"key" | "iv" | "aad" | "msg" | "ct" | "tag">> & {
      readonly keySize: number;
      readonly ivSize: number;
      readonly tagSize: number;
    };
    const outcome = await failuresOf(
      readGroups<G>(file),
      ({ keySize, ivSize, tagSize }) => keySize === 256 && ivSize === 96 && tagSize === 128,
      async (_, { key, iv, aad, msg, ct, tag }) => {
        const opened = await crypto.aesGcmDecrypt(hex(key), hex(iv), hex(ct + tag), hex(aad));
        return compare(toHex(opened), msg);
      },
    );
    expect(outcome.failed).toEqual([]);
    expect(outcome.tried).toBeGreaterThan(30);
  });

  it("hold for HKDF-SHA-256", async (ctx) => {
    const file = findVectors("hkdf_sha256_test.json");
    if (file === undefined) return ctx.skip("Wycheproof not found: set CONSENTRY_VECTORS");
    type G = Group<Hex<"ikm" | "salt" | "info" | "okm"> & { readonly size: number }>;
    const outcome = await failuresOf(
      readGroups<G>(file),
      () => true,
      async (_, { ikm, salt, info, size, okm }) => {
        // More than 255 blocks are not possible (RFC 5869 §2.3); asking for them is a bug, and
        // throws.
        if (size > 255 * 32) return "refused";
        const got = await crypto.hkdfSha256(hex(ikm), hex(salt), hex(info), size);
        return compare(toHex(got), okm);
      },
    );
    expect(outcome.failed).toEqual([]);
    expect(outcome.tried).toBeGreaterThan(50);
  });
});
