import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { passwordStrength } from "../../app/contract/password-strength.ts";
import { derivePasswordKey } from "../../app/encryption/keyfile/key-file.ts";
import { PROGRAMS } from "../testing/built-programs.ts";
import { passphraseSource } from "./open-host-key.ts";
import { passwordThread } from "./password-thread.ts";
import { KeyFolder } from "./testing/key-folder.ts";

const { deriveKey: thread, judge } = passwordThread(PROGRAMS.passwordWorker);

function terminal() {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  let drawn = "";
  output.on("data", (chunk: Buffer) => {
    drawn += chunk.toString();
  });
  return { input, output, drawn: () => drawn };
}

describe("the passphrase", () => {
  it("is the first line of the file, whatever ends it", async () => {
    const file = join(new KeyFolder().path, "passphrase");
    for (const text of [
      "four words of mine\n",
      "four words of mine\r\nmore",
      "four words of mine",
    ]) {
      writeFileSync(file, text);
      expect((await passphraseSource(file, null)).given).toBe("four words of mine");
    }
  });

  it("is refused from a file that is empty, endless or not there", async () => {
    const file = join(new KeyFolder().path, "passphrase");
    const code = "passphrase_unusable";
    await expect(passphraseSource(file, null)).rejects.toMatchObject({ code });
    for (const text of ["", "\nsecond line", "x".repeat(2_000)]) {
      writeFileSync(file, text);
      await expect(passphraseSource(file, null)).rejects.toMatchObject({ code });
    }
  });

  it("is asked for on a terminal alone, and never drawn", async () => {
    const { input, output, drawn } = terminal();
    const { given, ask } = await passphraseSource(null, { input, output });
    expect(given).toBeNull();
    const answer = ask?.(2);
    input.write("öffne dich\n");
    expect(await answer).toBe("öffne dich");
    expect(drawn()).not.toContain("dich");
    expect(drawn()).toContain("Passphrase");
    const noTerminal = { input: new PassThrough(), output };
    expect((await passphraseSource(null, noTerminal)).ask).toBeNull();
  });

  it.each(["\u0003", "\u0004"])("is given up with %j", async (key) => {
    const { input, output } = terminal();
    const { ask } = await passphraseSource(null, { input, output });
    const answer = ask?.(1);
    input.write(key);
    await expect(answer).rejects.toMatchObject({ code: "passphrase_needed" });
  });

  it("becomes the same key on a thread of its own, while this one goes on", async () => {
    const salt = new Uint8Array(32).fill(7);
    let turns = 0;
    const turning = setInterval(() => {
      turns += 1;
    });
    const key = await thread("pässword", salt);
    clearInterval(turning);
    expect(turns).toBeGreaterThan(0);
    expect(key).toEqual(derivePasswordKey("pässword", salt));
  }, 60_000);

  it("is judged there as a page judges it", async () => {
    expect(await judge("Sommer2024!!")).toEqual(passwordStrength("Sommer2024!!"));
  }, 60_000);

  it("says so when the thread cannot run", async () => {
    const gone = passwordThread(new URL("no-such-worker.ts", import.meta.url)).deriveKey;
    await expect(async () => gone("x", new Uint8Array(32))).rejects.toThrow();
  });
});
