import * as nodeCrypto from "node:crypto";
import { describe, expect, it } from "vitest";
import { nodePrimitives as crypto } from "../../../runtime/crypto/node-primitives.ts";
import { createIdentity } from "../identity/identity.ts";
import { text } from "../testing/conversation.ts";
import { expectRefusal, refusalOf } from "../testing/expect-refusal.ts";
import {
  derivePasswordKey,
  openAtRest,
  PASSWORD_COST,
  type Protection,
  readIdentityFile,
  sealAtRest,
  writeIdentityFile,
} from "./key-file.ts";

const identity = await createIdentity(crypto, "person-1");
const byHost: Protection = { kind: "host_key", key: crypto.randomBytes(32) };

/** A cheap replacement for Argon2id, where its cost is not under test. */
const cheapKey = (password: string, salt: Uint8Array) =>
  crypto.hmacSha256(salt, text(password.normalize("NFKC")));
const byPassword = (password: string): Protection => ({
  kind: "password",
  password,
  deriveKey: cheapKey,
});

describe("an identity's file", () => {
  it("gives the same identity back, under the host's key and under a password", async () => {
    for (const protection of [byHost, byPassword("correct horse")]) {
      const stored = await writeIdentityFile(crypto, "identity", protection, identity);
      const read = await readIdentityFile(crypto, "identity", protection, stored);
      expect(read).toEqual(identity);
      const seen = Buffer.from(stored);
      expect(seen.includes(Buffer.from(identity.signing.privateKey))).toBe(false);
      expect(seen.includes(Buffer.from(identity.agreement.privateKey))).toBe(false);
    }
  });

  it("says so when the password or the host's key is wrong", async () => {
    const backup = await writeIdentityFile(crypto, "backup", byPassword("right"), identity);
    await expectRefusal("wrong_password", () =>
      readIdentityFile(crypto, "backup", byPassword("wrong"), backup),
    );
    const own = await writeIdentityFile(crypto, "identity", byHost, identity);
    const otherHost: Protection = { kind: "host_key", key: crypto.randomBytes(32) };
    await expectRefusal("wrong_host_key", () =>
      readIdentityFile(crypto, "identity", otherHost, own),
    );
  });

  it("is refused with any bit flipped or cut anywhere: damaged, not a wrong password", async () => {
    const protection = byPassword("right");
    const stored = await writeIdentityFile(crypto, "backup", protection, identity);
    for (let at = 0; at < stored.length; at += 1) {
      const flipped = stored.map((byte, place) => (place === at ? byte ^ (1 << (at % 8)) : byte));
      for (const damaged of [flipped, stored.slice(0, at)]) {
        await expectRefusal("corrupt_state", () =>
          readIdentityFile(crypto, "backup", protection, damaged),
        );
      }
    }
  });

  it("is refused changed anywhere by who mends the checksum too", async () => {
    const protection = byPassword("right");
    const stored = await writeIdentityFile(crypto, "backup", protection, identity);
    const codes = new Set<string | null>();
    for (let at = 0; at < stored.length - 32; at += 1) {
      const body = stored.slice(0, -32);
      body[at] = (body[at] ?? 0) ^ 1;
      const mended = new Uint8Array([...body, ...(await crypto.sha256(body))]);
      codes.add(await refusalOf(() => readIdentityFile(crypto, "backup", protection, mended)));
    }
    const expected = ["corrupt_state", "unsupported_version", "wrong_password"];
    expect([...codes].toSorted()).toEqual(expected);
  });

  it("is not taken for one of another purpose or protection", async () => {
    const protection = byPassword("right");
    const backup = await writeIdentityFile(crypto, "backup", protection, identity);
    await expectRefusal("corrupt_state", () =>
      readIdentityFile(crypto, "identity", protection, backup),
    );
    await expectRefusal("corrupt_state", () => readIdentityFile(crypto, "backup", byHost, backup));
  });

  it("differs each time, by salt and nonce", async () => {
    const one = await sealAtRest(crypto, "identity", byHost, text("x"));
    const other = await sealAtRest(crypto, "identity", byHost, text("x"));
    expect(one).not.toEqual(other);
    expect(await openAtRest(crypto, "identity", byHost, other)).toEqual(text("x"));
  });
});

describe("a password's key", () => {
  it("is Argon2id's at the stated cost, and the same for a word typed in two ways", () => {
    const salt = new Uint8Array(32).fill(7);
    const composed = derivePasswordKey("caf\u00e9", salt);
    expect(PASSWORD_COST).toEqual({ m: 65_536, t: 3, p: 4 });
    expect(derivePasswordKey("cafe\u0301", salt)).toEqual(composed);
    expect(Buffer.from(composed).toString("hex")).toBe(CAFE_KEY);
  }, 120_000);

  it("is the one that Node's own Argon2id computes", (ctx) => {
    if (!("argon2Sync" in nodeCrypto)) ctx.skip("this Node has no Argon2id of its own");
    const parameters = {
      message: Buffer.from("caf\u00e9"),
      nonce: Buffer.alloc(32, 7),
      parallelism: PASSWORD_COST.p,
      tagLength: 32,
      memory: PASSWORD_COST.m,
      passes: PASSWORD_COST.t,
    };
    const key = nodeCrypto.argon2Sync("argon2id", parameters);
    expect(key.toString("hex")).toBe(CAFE_KEY);
  });
});

/** For "café" (NFC) with 32 bytes 0x07 as salt, as computed by OpenSSL. */
const CAFE_KEY = "c897555c2a3851e49c99072e9352f9ad0afc3daf84f7b3c114b959f57ad06593";
