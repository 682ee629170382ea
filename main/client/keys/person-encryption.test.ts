import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { FileDelivery } from "../../../app/bridge/call-shape.ts";
import { passwordStrength } from "../../../app/contract/password-strength.ts";
import {
  CONVERSATION_ID,
  testEnd,
  testWorld,
} from "../../../app/encryption/testing/correspondents.ts";
import { nodePrimitives as crypto } from "../../../runtime/crypto/node-primitives.ts";
import { hostKeyFrom, keyIdText } from "../../keys/index.ts";
import { quickKey } from "../../keys/testing/key-folder.ts";
import { ScratchStore } from "../../storage/testing/scratch-store.ts";
import type { OutgoingFile } from "../host-port.ts";
import { IdentityKeeping } from "./identity-keeping.ts";
import { openPersonEncryption, type PersonEncryption } from "./person-encryption.ts";
import { PersonKeys } from "./person-keys.ts";

const PASSWORD = "vier ganz zufaellige woerter";
const hostKey = hostKeyFrom(randomBytes(32));

describe("the person's end", () => {
  const scratch = ScratchStore.forEachTest();
  let close = () => {};
  const world = testWorld(crypto);

  afterEach(() => close());

  async function start(ownerId = "person-1"): Promise<PersonEncryption> {
    close();
    const { store } = scratch.open();
    close = () => store.close();
    const directory = world.directory.for(ownerId);
    const place = { dataDir: scratch.dataDir, hostKey, store, ownerId, directory };
    return openPersonEncryption({
      ...place,
      passwords: { deriveKey: quickKey, judge: async (text) => passwordStrength(text) },
    });
  }

  async function met(end: PersonEncryption) {
    const agent = await testEnd(world, "agent-1", "agent");
    const introduction = { level: "ratchet", conversationId: CONVERSATION_ID } as const;
    await end.e2ee.introduce("agent-1", agent.mail.card, introduction);
    return agent;
  }

  /** A backup as the person downloads it. */
  async function backupOf(end: PersonEncryption): Promise<Uint8Array> {
    const files: OutgoingFile[] = [];
    const keeping = keepingOf(end, async (file) => {
      files.push(file);
      return { kind: "saved" };
    });
    await keeping.backup(PASSWORD);
    const [file] = files;
    if (file === undefined) throw new Error("no file");
    expect(file.name).toMatch(/^consentry-identity-\d{4}-\d\d-\d\d\.backup$/);
    const parts: Uint8Array[] = [];
    for await (const part of file.open(new AbortController().signal)) parts.push(part);
    return new Uint8Array(Buffer.concat(parts));
  }

  const keepingOf = (
    end: PersonEncryption,
    deliver: (file: OutgoingFile) => Promise<FileDelivery> = async () => ({ kind: "cancelled" }),
  ) =>
    new IdentityKeeping({
      identity: end.identity,
      tools: end.backupTools,
      deliver,
      clock: { now: () => scratch.wall },
      replace: (identity) => end.replaceIdentity(identity),
    });

  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

  it("is the same at each start, and still knows its agents", async () => {
    const end = await start();
    await met(end);
    const { key_id } = end.e2ee.peer("agent-1") ?? {};
    await end.e2ee.markVerified("agent-1", key_id ?? "", true);
    const again = await start();
    expect(keyIdText(again.identity)).toBe(keyIdText(end.identity));
    expect(again.e2ee.peer("agent-1")).toMatchObject({ key_id, verified: true });
  });

  it("is restored from its backup, knows its agents and counts no number as compared", async () => {
    const lost = await start();
    const backup = await backupOf(lost);
    scratch.renew();
    const fresh = await start();
    expect(keyIdText(fresh.identity)).not.toBe(keyIdText(lost.identity));
    await met(fresh);
    const { key_id = "" } = fresh.e2ee.peer("agent-1") ?? {};
    await fresh.e2ee.markVerified("agent-1", key_id, true);
    await keepingOf(fresh).restore(PASSWORD, base64(backup));

    const restored = await start();
    expect(keyIdText(restored.identity)).toBe(keyIdText(lost.identity));
    expect(restored.e2ee.peer("agent-1")).toMatchObject({ key_id, verified: false });
    expect(keyIdText((await start()).identity)).toBe(keyIdText(lost.identity));
    const kept = readdirSync(scratch.dataDir).filter((name) => name.startsWith("identity.key"));
    expect(kept).toHaveLength(2);
  });

  it("does not change when its own backup is restored", async () => {
    const end = await start();
    await met(end);
    await keepingOf(end).restore(PASSWORD, base64(await backupOf(end)));
    const again = await start();
    expect(keyIdText(again.identity)).toBe(keyIdText(end.identity));
    expect(readdirSync(scratch.dataDir).filter((name) => name.endsWith(".old"))).toEqual([]);
  });

  it("stays what it is when its own backup is restored after a wrong one", async () => {
    const { own, ownBackup } = await afterWrongBackup();
    await keepingOf(own).restore(PASSWORD, ownBackup);
    expect(keyIdText((await start()).identity)).toBe(keyIdText(own.identity));
    expect(keyIdText((await start()).identity)).toBe(keyIdText(own.identity));
  });

  it("is what was restored first if restoring another one fails halfway", async () => {
    const { wrong, own, ownBackup } = await afterWrongBackup();
    const [aside = ""] = readdirSync(scratch.dataDir).filter((name) => name.endsWith(".old"));
    rmSync(join(scratch.dataDir, aside));
    mkdirSync(join(scratch.dataDir, aside));
    await expect(keepingOf(own).restore(PASSWORD, ownBackup)).rejects.toThrow();
    expect(keyIdText((await start()).identity)).toBe(keyIdText(wrong.identity));
  });

  /** An end that will be another one at its next start, because the wrong backup was restored. */
  async function afterWrongBackup() {
    const wrong = await start();
    const wrongBackup = base64(await backupOf(wrong));
    scratch.renew();
    const own = await start();
    const ownBackup = base64(await backupOf(own));
    await keepingOf(own).restore(PASSWORD, wrongBackup);
    return { wrong, own, ownBackup };
  }

  it("refuses what is not a backup of this person, and a weak password", async () => {
    const end = await start();
    const backup = await backupOf(end);
    const keeping = keepingOf(end);
    const refused = (work: Promise<unknown>, code: string) =>
      expect(work).rejects.toMatchObject({ code });
    await refused(keeping.backup("Password123!"), "password_weak");
    await refused(keeping.backup("Sommer2024!!"), "password_weak");
    await refused(keeping.restore("wrong", base64(backup)), "wrong_password");
    await refused(keeping.restore(PASSWORD, base64(backup.slice(1))), "backup_damaged");
    await refused(keeping.restore(PASSWORD, "%%%"), "backup_damaged");
    const other = await start("person-2");
    await refused(keepingOf(other).restore(PASSWORD, base64(backup)), "backup_of_another");
    const both = [keeping.backup(PASSWORD), keeping.backup(PASSWORD)];
    await refused(Promise.all(both), "already_running");
  });

  it("shows a changed key, stops all calls, and accepts it only by its number", async () => {
    const end = await start();
    await met(end);
    const keys = keysOf(end);
    keys.refresh();
    const before = keys.view().agents[0]?.safety.digits ?? "";
    await keys.verify("agent-1", before, true);
    expect(keys.view().agents[0]).toMatchObject({ verified: true, changed: null });
    expect(keys.isInDoubt("agent-1")).toBe(false);

    const anew = await testEnd(world, "agent-1", "agent");
    await end.e2ee.introduce("agent-1", anew.mail.card, null);
    expect(keys.isInDoubt("agent-1")).toBe(true);

    const later = keysOf(await start());
    later.refresh();
    expect(later.isInDoubt("agent-1")).toBe(true);
    const shown = later.view().agents[0]?.changed?.digits ?? "";
    expect(shown).not.toBe(before);
    const code = "key_changed";
    await expect(later.accept("agent-1", before)).rejects.toMatchObject({ code });
    await expect(later.verify("agent-1", shown, true)).rejects.toMatchObject({ code });
    expect(later.isInDoubt("agent-1")).toBe(true);
    await later.accept("agent-1", shown);
    expect(accepted).toEqual(["agent-1"]);
    expect(later.isInDoubt("agent-1")).toBe(false);
    expect(later.view().agents[0]).toMatchObject({
      verified: false,
      changed: null,
      safety: { digits: shown },
    });
  });

  it("derives a key's number once, however often the keys are shown", async () => {
    const end = await start();
    await met(end);
    let derived = 0;
    const hkdfSha256: typeof crypto.hkdfSha256 = (...input) => {
      derived += 1;
      return crypto.hkdfSha256(...input);
    };
    const keys = keysOf(end, { ...crypto, hkdfSha256 });
    keys.refresh();
    const [{ safety } = {}] = keys.view().agents;
    const once = derived;
    expect(once).toBeGreaterThan(0);
    keys.refresh();
    expect(keys.view().agents).toMatchObject([{ safety }]);
    expect(derived).toBe(once);
  });

  const accepted: string[] = [];
  const keysOf = ({ identity, e2ee }: PersonEncryption, primitives = crypto) =>
    new PersonKeys({
      crypto: primitives,
      identity,
      book: e2ee,
      ledgerState: () => "in_step",
      changed: () => {},
      lookNow: async () => {},
      accepted: (agentId) => accepted.push(agentId),
    });
});
