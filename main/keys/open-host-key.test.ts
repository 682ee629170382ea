import { chmodSync, rmSync, statSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { checkOf } from "./host-key.ts";
import type { KeyVault } from "./open-host-key.ts";
import { KeyFolder } from "./testing/key-folder.ts";

let folder: KeyFolder;
beforeEach(() => {
  folder = new KeyFolder();
});

const turned = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => byte ^ 0x55);

const vaultOf = (changes: Partial<KeyVault> = {}): KeyVault => ({
  available: async () => true,
  wrap: async (key) => turned(key),
  unwrap: async (wrapped) => ({ key: turned(wrapped), stale: false }),
  ...changes,
});

const answering = (...words: string[]) => ({
  given: null,
  ask: async (attempt: number) => words[attempt - 1] ?? "",
});

describe("the host key", () => {
  it("is made once, is the same at each start, and is its owner's alone to read", async () => {
    const { key, form } = await folder.open();
    const again = await folder.open({ noted: checkOf(key) });
    expect(form).toBe("plain");
    expect(again.key.protection).toEqual(key.protection);
    expect(folder.names()).toEqual(["host.key"]);
    if (process.platform !== "win32") expect(statSync(folder.file).mode & 0o777).toBe(0o600);
    expect((await new KeyFolder().open()).key.protection).not.toEqual(key.protection);
  });

  it("gives each use another key", async () => {
    const { key } = await new KeyFolder().open();
    const keys = [key.keyFor("key state"), key.keyFor("conversations"), key.protection.key];
    expect(new Set(keys.map((each) => Buffer.from(each).toString("hex"))).size).toBe(3);
    expect(key.keyFor("conversations")).toEqual(key.keyFor("conversations"));
  });

  it.skipIf(process.platform === "win32")("is closed to others where it was open", async () => {
    await folder.open();
    chmodSync(folder.file, 0o644);
    await folder.open();
    expect(statSync(folder.file).mode & 0o777).toBe(0o600);
  });

  it("is never recreated where something is sealed under one that is gone", async () => {
    const { key } = await folder.open();
    rmSync(folder.file);
    const code = "host_key_missing";
    await expect(folder.open({ noted: checkOf(key) })).rejects.toMatchObject({ code });
    expect(folder.names()).toEqual([]);
  });

  it("is refused and left where it is another one", async () => {
    await folder.open();
    const before = folder.bytes();
    const { key } = await new KeyFolder().open();
    const code = "host_key_wrong";
    await expect(folder.open({ noted: checkOf(key) })).rejects.toMatchObject({ code });
    expect(folder.bytes()).toEqual(before);
  });

  it("is refused and left with any byte changed, cut at any length, or far too long", async () => {
    await folder.open();
    const whole = folder.bytes();
    const damaged = [...whole.keys()].flatMap((at) => [
      whole.map((byte, place) => (place === at ? byte ^ 1 : byte)),
      whole.subarray(0, at),
    ]);
    for (const bytes of [...damaged, Buffer.alloc(20_000)]) {
      folder.put(bytes);
      await expect(folder.open()).rejects.toMatchObject({ code: "host_key_damaged" });
      expect(folder.bytes().equals(bytes)).toBe(true);
    }
  });

  it("says so where the folder cannot be read", async () => {
    await expect(folder.open({ dataDir: `${folder.path}/\0` })).rejects.toMatchObject({
      code: "host_key_unreadable",
    });
  });
});

describe("a host key kept by the system", () => {
  it("lies wrapped in the file, and only the host with that key store opens it", async () => {
    const { key, form } = await folder.open({ vault: vaultOf() });
    expect(form).toBe("system");
    expect(folder.holds(key)).toBe(false);
    expect((await folder.open({ vault: vaultOf() })).key.protection).toEqual(key.protection);
    await expect(folder.open()).rejects.toMatchObject({ code: "host_key_elsewhere" });
  });

  it("is not recreated while the key store is locked or has lost it", async () => {
    await folder.open({ vault: vaultOf() });
    const before = folder.bytes();
    for (const vault of [
      vaultOf({ available: async () => false }),
      vaultOf({ unwrap: async () => null }),
    ]) {
      await expect(folder.open({ vault })).rejects.toMatchObject({ code: "host_key_locked" });
    }
    const short = vaultOf({ unwrap: async () => ({ key: new Uint8Array(31), stale: false }) });
    await expect(folder.open({ vault: short })).rejects.toMatchObject({ code: "host_key_damaged" });
    expect(folder.bytes()).toEqual(before);
  });

  it("is not used for a key made where the store protects nothing", async () => {
    const vault = vaultOf({ available: async () => false });
    expect((await new KeyFolder().open({ vault })).form).toBe("plain");
  });

  it("is rewrapped when the store wants it", async () => {
    const { key } = await folder.open({ vault: vaultOf() });
    const before = folder.bytes();
    const vault = vaultOf({
      unwrap: async (wrapped) => ({ key: turned(wrapped), stale: true }),
      wrap: async (bytes) => new Uint8Array([...turned(bytes), 1]),
    });
    expect((await folder.open({ vault })).key.protection).toEqual(key.protection);
    expect(folder.bytes().length).toBe(before.length + 1);
  });
});

describe("a host key under a passphrase", () => {
  const given = { given: "correct horse", ask: null };

  it("opens with it, from the file or the terminal, and not without", async () => {
    const { key, form } = await folder.open({ passphrase: given, vault: vaultOf() });
    expect(form).toBe("passphrase");
    expect(folder.holds(key)).toBe(false);
    for (const passphrase of [given, answering("wrong", "correct horse")]) {
      expect((await folder.open({ passphrase })).key.protection).toEqual(key.protection);
    }
    await expect(folder.open()).rejects.toMatchObject({ code: "passphrase_needed" });
    const wrong = { given: "wrong", ask: null };
    await expect(folder.open({ passphrase: wrong })).rejects.toMatchObject({
      code: "passphrase_wrong",
    });
  });

  it("asks three times and no more", async () => {
    await folder.open({ passphrase: given });
    const passphrase = answering("1", "2", "3", "correct horse");
    await expect(folder.open({ passphrase })).rejects.toMatchObject({ code: "passphrase_wrong" });
  });

  it.each([
    ["plain", null],
    ["system", vaultOf()],
  ])("takes over a %s key, which stays the same", async (form, vault) => {
    const made = await folder.open({ vault });
    expect(made.form).toBe(form);
    const opened = await folder.open({ vault, passphrase: given });
    expect(opened.form).toBe("passphrase");
    expect((await folder.open({ passphrase: given })).key.protection).toEqual(made.key.protection);
    expect(folder.holds(made.key)).toBe(false);
  });

  it("is damaged, not wrong, when its inner file is", async () => {
    await folder.open({ passphrase: given });
    const code = "host_key_damaged";
    const bytes = folder.bytes();
    folder.put(bytes.with(60, (bytes[60] ?? 0) ^ 1));
    await expect(folder.open({ passphrase: given })).rejects.toMatchObject({ code });
  });
});
