import { randomBytes } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodePrimitives } from "../../runtime/crypto/node-primitives.ts";
import { hostKeyFrom } from "./host-key.ts";
import {
  type IdentityOptions,
  keepIdentity,
  keyIdText,
  openIdentity,
  readBackup,
  setKeyFileAside,
  writeBackup,
} from "./person-identity.ts";
import { KeyFolder, quickKey } from "./testing/key-folder.ts";

const tools = { crypto: nodePrimitives, deriveKey: quickKey };

const opened = async (options: IdentityOptions) => (await openIdentity(options)).identity;

function place() {
  const folder = new KeyFolder();
  const options = {
    dataDir: folder.path,
    hostKey: hostKeyFrom(randomBytes(32)),
    crypto: nodePrimitives,
    ownerId: "person-1",
    noted: [],
    now: 5,
  };
  return { folder, options, file: join(folder.path, "identity.key") };
}

describe("the person's identity", () => {
  it("is made once and hidden in its file", async () => {
    const { options, file, folder } = place();
    const { identity: made, isNew } = await openIdentity(options);
    expect(isNew).toBe(true);
    expect(await openIdentity(options)).toMatchObject({ isNew: false });
    expect(await opened({ ...options, noted: [keyIdText(made), "00"] })).toEqual(made);
    expect(folder.names()).toEqual(["identity.key"]);
    expect(readFileSync(file).includes(Buffer.from(made.signing.privateKey))).toBe(false);
  });

  it("is never recreated where others know one that is gone", async () => {
    const { options, file } = place();
    const noted = [keyIdText(await opened(options))];
    rmSync(file);
    const code = "identity_missing";
    await expect(openIdentity({ ...options, noted })).rejects.toMatchObject({ code });
  });

  it("is set aside for a new one where the hub knows another person", async () => {
    const { options, folder } = place();
    const made = await opened(options);
    const anew = await opened({ ...options, ownerId: "person-2" });
    expect(anew.card.ownerId).toBe("person-2");
    expect(anew.signing).not.toEqual(made.signing);
    expect(folder.names()).toEqual(["identity.key", "identity.key.5.old"]);
  });

  it("is refused and left when damaged, under another host key, or another one", async () => {
    const { options, file } = place();
    const made = await opened(options);
    const whole = readFileSync(file);
    const other = { ...options, hostKey: hostKeyFrom(randomBytes(32)) };
    await expect(openIdentity(other)).rejects.toMatchObject({ code: "identity_damaged" });
    const noted = ["00".repeat(32)];
    await expect(openIdentity({ ...options, noted })).rejects.toMatchObject({
      code: "identity_other",
    });
    for (const bytes of [whole.subarray(1), Buffer.alloc(0), Buffer.alloc(9_000)]) {
      writeFileSync(file, bytes);
      await expect(openIdentity(options)).rejects.toMatchObject({ code: "identity_damaged" });
      expect(readFileSync(file)).toEqual(bytes);
    }
    writeFileSync(file, whole);
    expect(await opened(options)).toEqual(made);
  });

  it("is moved aside whole, and nothing is where there is none", async () => {
    const { options, folder } = place();
    await setKeyFileAside(folder.path, "identity.key", 5);
    await openIdentity(options);
    await setKeyFileAside(folder.path, "identity.key", 7);
    expect(folder.names()).toEqual(["identity.key.7.old"]);
  });
});

describe("a backup of the identity", () => {
  it("gives the same identity back, also on another machine", async () => {
    const { options } = place();
    const identity = await opened(options);
    const backup = await writeBackup(tools, identity, "vier zufällige wörter");
    const restored = await readBackup(tools, backup, "vier zufällige wörter", "person-1");
    expect(restored).toEqual(identity);
    const elsewhere = place().options;
    await keepIdentity(elsewhere, restored);
    expect(await opened(elsewhere)).toEqual(identity);
  });

  it("says what is wrong with it", async () => {
    const identity = await opened(place().options);
    const backup = await writeBackup(tools, identity, "right");
    const read = (bytes: Uint8Array, password: string, owner = "person-1") =>
      readBackup(tools, bytes, password, owner);
    await expect(read(backup, "wrong")).rejects.toMatchObject({ code: "wrong_password" });
    await expect(read(backup, "right", "person-2")).rejects.toMatchObject({
      code: "backup_of_another",
    });
    const identityFile = place();
    await openIdentity(identityFile.options);
    for (const bytes of [
      new Uint8Array(0),
      backup.slice(0, -1),
      backup.with(90, (backup[90] ?? 0) ^ 1),
      new Uint8Array(readFileSync(identityFile.file)),
    ]) {
      await expect(read(bytes, "right")).rejects.toMatchObject({ code: "backup_damaged" });
    }
  });
});
