import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ScratchFolder } from "../main/testing/scratch-folder.ts";
import { AgentCredentialsFile } from "../runtime/files/agent-files.ts";
import {
  CredentialsStore,
  loadCredentials,
  readCredentials,
  type StoredCredentials,
} from "./credentials.ts";

const scratch = ScratchFolder.forEachTest();
const fileOf = (name: string) => new AgentCredentialsFile(name, scratch.base);
const storeOf = (name: string, replaces = false) => new CredentialsStore(fileOf(name), replaces);
const credentialsOf = (agentId: string): StoredCredentials => ({
  agentId,
  token: `hsk_${agentId}`,
  userId: "kim",
  conversationId: "c-1",
  grantedScopes: ["filesystem:read"],
  baseUrl: "http://127.0.0.1:4800",
  connectionMode: "websocket",
});

function kept(name: string, agentId: string, replaces = false) {
  const store = storeOf(name, replaces);
  store.prepare();
  store.store(credentialsOf(agentId));
}

describe("stored credentials", () => {
  it("are found under the agent's name, in a file for the account alone", () => {
    kept("Reader", "a1");
    const { path } = fileOf("Reader");
    expect(path).toBe(join(scratch.base, ".hashee", "Reader", "credentials.json"));
    expect(readCredentials(fileOf("Reader"))).toEqual(credentialsOf("a1"));
    if (process.platform === "win32") return;
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  });

  it.each(["..", "../other", "a/b", "\ud800", "汉".repeat(64)])(
    "have a place for the name %j",
    (name) => {
      kept(name, "a1");
      expect(dirname(dirname(fileOf(name).path))).toBe(join(scratch.base, ".hashee"));
      expect(readCredentials(fileOf(name)).agentId).toBe("a1");
    },
  );

  it("are never those of another agent of the same name, unless it was to replace them", () => {
    kept("Reader", "a1");
    const { path } = fileOf("Reader");
    expect(() => storeOf("Reader").prepare()).toThrow(`credentials_exist: ${path}`);
    expect(() => storeOf("Reader").store(credentialsOf("a2"))).toThrow(
      `credentials_exist: ${path}`,
    );
    expect(readCredentials(fileOf("Reader")).agentId).toBe("a1");
    kept("Reader", "a2", true);
    expect(readCredentials(fileOf("Reader")).agentId).toBe("a2");
  });

  it("are of no agent without a name", async () => {
    const nameless = loadCredentials(undefined as unknown as string);
    await expect(nameless).rejects.toMatchObject({ name: "AgentError", code: "name_invalid" });
  });

  it("are told missing or unreadable with their path", () => {
    const file = fileOf("Reader");
    expect(() => readCredentials(file)).toThrow(`credentials_missing: ${file.path}`);
    mkdirSync(dirname(file.path), { recursive: true });
    for (const text of ["", "{}", '{"agentId":1}']) {
      writeFileSync(file.path, text);
      expect(() => readCredentials(file)).toThrow(`credentials_unreadable: ${file.path}`);
    }
  });

  it("are not written through a link", () => {
    const { path } = fileOf("Reader");
    const elsewhere = join(scratch.base, "elsewhere");
    writeFileSync(elsewhere, "mine");
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(elsewhere, path);
    expect(() => storeOf("Reader").store(credentialsOf("a1"))).toThrow("credentials_exist");
    kept("Reader", "a1", true);
    expect(readFileSync(elsewhere, "utf8")).toBe("mine");
  });

  it("that have no place are told before anybody is asked", () => {
    writeFileSync(join(scratch.base, ".hashee"), "");
    const { path } = fileOf("Reader");
    expect(() => storeOf("Reader").prepare()).toThrow(`credentials_unwritable: ${path}`);
  });
});
