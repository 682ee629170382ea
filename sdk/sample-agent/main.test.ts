import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { checkManifest } from "../../app/contract/check-manifest.ts";
import { denied, platformError } from "../../app/contract/codes.ts";
import { NOT_ADDED_EXIT } from "../../app/contract/connected-model.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import type { ToolCall } from "../../app/contract/tool-call.ts";
import type { PairingRequestedFrame } from "../../app/protocol/v1/frames.ts";
import { ofEachTest } from "../../hub/testing/of-each-test.ts";
import { homeEnv } from "../testing/keys-at-home.ts";
import { LivedInHub } from "../testing/lived-in-hub.ts";
import { type Decision, PATIENT } from "../testing/scripted-person.ts";
import { manifest } from "./manifest.ts";

// Each test starts a program, which takes a busy machine many seconds.
vi.setConfig({ testTimeout: 120_000 });

const hub = ofEachTest(new LivedInHub());

const MAIN = fileURLToPath(new URL("../../dist/sample-agent/main.js", import.meta.url));

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "sample-agent-home-"));
});
afterAll(() => rm(home, { recursive: true }));

function sampleAgent(...flags: string[]) {
  const child = spawn(process.execPath, [MAIN, ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...homeEnv(home) },
  });
  hub.closing(() => child.kill("SIGKILL"));
  return child;
}

async function ended(child: ReturnType<typeof sampleAgent>) {
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { lines: stdout.trimEnd().split("\n"), stderr, exitCode };
}

const DECISIONS: Readonly<Record<string, Decision>> = {
  send_notification: { status: "ok", result: { shown: true } },
  list_directory: { status: "ok", result: { entries: [{ name: "a\u001b[2J", type: "file" }] } },
  read_file: platformError("not_found"),
  read_clipboard: denied("user_timeout"),
  launch_rocket: denied("tool_not_declared"),
};

const decide = ({ tool_name }: ToolCall) => DECISIONS[tool_name] ?? denied("user_refused");

describe("the sample agent", () => {
  it("declares a manifest without problems or warnings", () => {
    const verdict = checkManifest(manifest as unknown as JsonObject, 0);
    expect(verdict).toMatchObject({ ok: true, warnings: [] });
  });

  it("makes one call of each kind, reports each in plain words, and exits 0", async () => {
    const person = await hub.arrived(decide);
    const folder = await mkdtemp(join(tmpdir(), "sample-agent-test-"));
    hub.closing(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "notes.md"), "");
    const { lines, stderr, exitCode } = await ended(
      sampleAgent("--hub", hub.url, "--folder", folder),
    );
    expect(stderr).toBe("");
    expect(exitCode).toBe(0);
    expect(lines[0]).toMatch(/^Code: .+/);
    expect(lines[2]).toMatch(/compare the safety number too: (\d{5} ?){12}$/);
    expect(lines[3]).toMatch(/^Added as /);
    expect(lines.slice(4)).toEqual([
      'send_notification: ok, {"shown":true}',
      'list_directory: ok, {"entries":[{"name":"a\\u001b[2J","type":"file"}]}',
      "read_file: failed (TOOL_PLATFORM_ERROR, not_found)",
      "read_clipboard: denied (user_timeout)",
      "launch_rocket: denied (tool_not_declared)",
      "Done: 5 of 5 calls were answered.",
    ]);
    expect(
      person.calls.map(({ tool_name, permission_scope }) => [tool_name, permission_scope]),
    ).toEqual([
      ["send_notification", "notification:send"],
      ["list_directory", "filesystem:read"],
      ["read_file", "filesystem:read"],
      ["read_clipboard", "clipboard:read"],
      ["launch_rocket", "rocket:launch"],
    ]);
    expect(person.calls[2]?.arguments.path).toBe(join(folder, "notes.md"));
  });

  it("prints JSON lines for programs", async () => {
    await hub.arrived(decide);
    const { lines, exitCode } = await ended(sampleAgent("--hub", hub.url, "--json"));
    expect(exitCode).toBe(0);
    const events = lines.map((line): JsonObject => JSON.parse(line));
    expect(events).toMatchObject([
      { event: "code" },
      { event: "safety_number", words: expect.stringMatching(/^\S+( \S+)+$/) },
      { event: "paired", granted_scopes: manifest.permission_scopes.map(({ id }) => id) },
      { event: "call", tool: "send_notification", status: "ok" },
      { event: "call", tool: "list_directory", status: "ok" },
      { event: "call", tool: "read_file", status: "error", reason: "not_found" },
      { event: "call", tool: "read_clipboard", status: "denied", reason: "user_timeout" },
      { event: "call", tool: "launch_rocket", status: "denied", reason: "tool_not_declared" },
      { event: "done", calls: 5 },
    ]);
    expect(lines.join("\n")).not.toContain("hsk_");
  });

  it("withdraws its request on Ctrl-C", async () => {
    const person = await hub.arrived(decide, false);
    const child = sampleAgent("--hub", hub.url, "--json");
    const result = ended(child);
    child.stdout.once("data", () => child.kill("SIGINT"));
    const { lines, stderr, exitCode } = await result;
    expect(exitCode).toBe(130);
    expect(stderr).toBe("");
    expect(lines.at(-1)).toBe('{"event":"failed","reason":"aborted"}');
    await expect.poll(() => person.closedPairings, PATIENT).toEqual(["withdrawn"]);
  });

  it("exits with a code of its own when the person does not add it", async () => {
    const person = await hub.arrived(decide, false);
    const human = await hub.human();
    const result = ended(sampleAgent("--hub", hub.url));
    const { payload } = await human.next("pairing.requested");
    const { pairing_id } = payload as PairingRequestedFrame["payload"];
    const answer = { accept: false, granted_scopes: [] };
    await person.keys.rest("POST", `/pairings/${pairing_id}/answer`, answer);
    const { lines, exitCode } = await result;
    expect(exitCode).toBe(NOT_ADDED_EXIT);
    expect(lines.at(-1)).toBe("Stopped: refused.");
  });

  it("exits 1 with a code when there is no hub", async () => {
    await hub.hub.close();
    const { lines, exitCode } = await ended(sampleAgent("--hub", hub.url));
    expect(exitCode).toBe(1);
    expect(lines).toEqual(["Stopped: hub_unreachable."]);
  });

  it("says how it is used when the hub is not named", async () => {
    const { stderr, exitCode } = await ended(sampleAgent());
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--hub URL");
  });
});
