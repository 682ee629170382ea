import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { ScratchFolder } from "../../main/testing/scratch-folder.ts";
import { testCertificate } from "../../runtime/net/testing/test-certificate.ts";
import { freePort } from "../../tests/servers/free-port.ts";
import { ConformingHub } from "../testing/conform/conforming-hub.ts";
import { openSocket } from "../testing/test-client.ts";
import { dropTestDatabases, hasPostgres, testDatabase } from "../testing/test-postgres.ts";

const SCRIPT = fileURLToPath(new URL("../../scripts/hub.ts", import.meta.url));
const scratch = ScratchFolder.forEachTest();
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await dropTestDatabases();
});

async function start(folder: string, argv: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const own = ["--data-dir", join(scratch.base, folder), ...argv];
  const child = spawn(process.execPath, [SCRIPT, ...own], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, ...env },
  });
  ends.push(() => child.kill("SIGKILL"));
  const [line] = await once(createInterface(child.stdout), "line");
  return { child, ...(JSON.parse(String(line)) as { hub: string; owner_token_file: string }) };
}

it("answers what orchestrators and Prometheus ask, and counts without names", async () => {
  const { hub } = await start("a", [], { CONSENTRY_HUB_LISTEN: "127.0.0.1:0" });
  for (const path of ["/healthz", "/readyz"]) {
    expect((await fetch(hub + path)).status).toBe(200);
  }
  const metrics = await (await fetch(`${hub}/metrics`)).text();
  expect(metrics).toContain("consentry_hub_connections 0");
  expect(metrics).toContain("process_resident_memory_bytes");
  const proxied = await fetch(`${hub}/metrics`, { headers: { "x-forwarded-for": "203.0.113.9" } });
  expect(proxied.status).toBe(403);
});

const certificate = testCertificate("hub.example");

it.skipIf(certificate === null)(
  "speaks TLS itself, under its public name alone (needs openssl to make a certificate)",
  async () => {
    const { cert = "", key = "", authority } = certificate ?? {};
    const [certFile, keyFile] = [join(scratch.base, "cert.pem"), join(scratch.base, "key.pem")];
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
    const port = await freePort();
    const tls = [
      "--tls-cert",
      certFile,
      "--tls-key",
      keyFile,
      "--public-url",
      "https://hub.example",
    ];
    const { child, hub } = await start("a", ["--listen", `0.0.0.0:${port}`, ...tls]);
    expect(hub).toBe("https://hub.example");
    expect(child.exitCode).toBeNull();
    const ask = async (host: string) => {
      const asked = request({
        ...{ host: "127.0.0.1", port, path: "/health", servername: "hub.example" },
        ...{ ca: authority, headers: { host } },
      });
      const [response] = await once(asked.end(), "response");
      response.resume();
      return response.statusCode;
    };
    expect([await ask("hub.example"), await ask("other.example")]).toEqual([200, 421]);
  },
);

describe.runIf(hasPostgres)("a node that is told to end", () => {
  it("says so, answers what it was asked, and sends its clients to another", async () => {
    const flags = ["--listen", "127.0.0.1:0", "--database", await testDatabase(scratch.base)];
    const [one, other] = [await start("a", flags), await start("b", flags)];
    const [here, there] = [one, other].map(
      (each) => new ConformingHub(each.hub, each.owner_token_file),
    );
    if (here === undefined || there === undefined) throw new RangeError("no nodes");
    ends.push(
      () => here.closeAll(),
      () => there.closeAll(),
    );
    const added = await here.addAgent();
    const { client, raw } = await openSocket(`${one.hub.replace("http", "ws")}/ws/agent`);
    client.send({ type: "auth", agent_id: added.agentId, token: added.token });
    await client.next("auth.ok");
    const human = await there.human();
    const closed = once(raw, "close");
    const ready = await fetch(`${one.hub}/readyz`);
    expect(ready.status).toBe(200);
    const talk = added.relation.conversation_id;
    const sent = client.says(talk, "last words");
    const exit = once(one.child, "exit");
    one.child.kill("SIGTERM");
    expect(await sent).toMatchObject({ conversation_seq: 1 });
    const [code, reason] = await closed;
    expect([code, String(reason)]).toEqual([1012, expect.stringMatching(/^retry_after_ms=\d+$/)]);
    const again = await there.agent(added);
    await human.next("message.new");
    await human.says(talk, "welcome");
    await again.next("message.new");
    expect(await exit).toEqual([0, null]);
  });
});
