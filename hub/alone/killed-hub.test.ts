import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { digestOf } from "../../app/contract/digest.ts";
import type { JsonValue } from "../../app/contract/json.ts";
import type { ReauthRequiredFrame } from "../../app/protocol/v1/frames.ts";
import type { AgentView, ManifestAccepted } from "../../app/protocol/v1/rest.ts";
import { ScratchFolder } from "../../main/testing/scratch-folder.ts";
import { sampleManifest } from "../testing/hub-rig.ts";
import { openSocket } from "../testing/test-client.ts";

const SCRIPT = fileURLToPath(new URL("../../scripts/hub.ts", import.meta.url));
const KILLS = 3;
const WRITERS = 16;
const ACKED_BEFORE_KILL = 40;

const scratch = ScratchFolder.forEachTest();
let child: ChildProcess;
let url: string;
afterEach(async () => {
  await kill();
});

async function start(): Promise<void> {
  const args = [SCRIPT, "--listen", "127.0.0.1:0", "--data-dir", scratch.base];
  const started = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  child = started;
  const [line] = await once(createInterface(started.stdout), "line");
  url = JSON.parse(String(line)).hub;
}

async function kill(): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function ask<Data>(method: string, path: string, body?: unknown, token?: string) {
  const bearer = token ?? readFileSync(join(scratch.base, "owner.token"), "utf8").trim();
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${bearer}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return ((await response.json()) as { data: Data }).data;
}

const LOCATION = { id: "location:read", label_i18n_key: "l", sensitivity: "high" };
/** Every manifest is different, and every second one adds a scope. */
function manifestNumber(nth: number) {
  const { permission_scopes } = sampleManifest();
  return sampleManifest({
    agent_version: `1.0.${nth}`,
    permission_scopes: nth % 2 === 0 ? permission_scopes : [...permission_scopes, LOCATION],
  });
}

async function waitingNotices(): Promise<number[]> {
  const { client } = await openSocket(`${url.replace("http", "ws")}/ws/human`);
  client.send({
    type: "auth",
    token: readFileSync(join(scratch.base, "owner.token"), "utf8").trim(),
  });
  await client.next("auth.ok");
  await client.settled();
  client.close();
  return client
    .ofType("h2a.reauth_required")
    .map(({ payload }) => (payload as ReauthRequiredFrame["payload"]).new_manifest_version);
}

test("a hub killed under load never assigns a version twice, and loses none", async () => {
  await start();
  const made = await ask<ManifestAccepted & { token: string }>("POST", "/agents", {
    name: "Agent",
    capability_manifest: sampleManifest(),
  });
  const { agent_id, token } = made;
  await ask("POST", "/h2a/relations", { agent_id, granted_scopes: ["filesystem:read"] });
  const path = `/agents/${agent_id}`;
  const accepted = new Map<number, ManifestAccepted>();
  const sent = new Set<string>();
  let nth = 0;

  const patch = async (): Promise<void> => {
    nth += 1;
    const body = manifestNumber(nth);
    sent.add(digestOf(body as JsonValue));
    const answer = await ask<ManifestAccepted>("PATCH", path, body, token);
    expect(answer.capability_manifest_hash).toBe(digestOf(body as JsonValue));
    expect(accepted.has(answer.capability_manifest_version)).toBe(false);
    accepted.set(answer.capability_manifest_version, answer);
  };
  const writeUntilKilled = async (killAt: number): Promise<void> => {
    for (;;) {
      try {
        await patch();
      } catch (error) {
        // The kill cut the connection; any other error is a bug.
        if (error instanceof TypeError) return;
        throw error;
      }
      if (accepted.size >= killAt) child.kill("SIGKILL");
    }
  };

  for (let kills = 0; kills < KILLS; kills += 1) {
    const killAt = accepted.size + ACKED_BEFORE_KILL;
    await Promise.all(Array.from({ length: WRITERS }, () => writeUntilKilled(killAt)));
    await kill();
    await start();
    const view = await ask<AgentView>("GET", path);
    const last = Math.max(...accepted.keys());
    const now = view.capability_manifest_version;
    // What was on its way when it died may be stored or not; what was answered must be.
    expect(now).toBeGreaterThanOrEqual(last);
    expect(now).toBeLessThanOrEqual(1 + sent.size);
    expect(view.capability_manifest_hash).toBe(digestOf(view.capability_manifest as JsonValue));
    expect(sent).toContain(view.capability_manifest_hash);
    const known = accepted.get(now);
    if (known !== undefined) {
      expect(view.capability_manifest_hash).toBe(known.capability_manifest_hash);
    }
    await patch();
    expect(accepted.has(now + 1)).toBe(true);
  }

  const notices = await waitingNotices();
  expect(new Set(notices).size).toBe(notices.length);
  const breaking = [...accepted.values()].filter((each) => each.breaking_changes.length > 0);
  const told = notices.filter((version) => accepted.has(version));
  const owed = breaking.map((each) => each.capability_manifest_version);
  expect(told).toEqual(owed.toSorted((one, other) => one - other));
  expect(await waitingNotices()).toEqual(notices);
});
