import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { connect, createServer, type LookupFunction, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testCertificate } from "../runtime/net/testing/test-certificate.ts";
import { freePort } from "../tests/servers/free-port.ts";
import { homeEnv } from "./testing/keys-at-home.ts";
import { LivedInHub } from "./testing/lived-in-hub.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** No resolver knows it: only the proxy leads there, and this process. */
const NAME = "hub.test";
const certificate = testCertificate(NAME);
const PATIENCE_MS = 60_000;

/** Node 20 with the undici that it takes, where the machine has both. */
const OLD_NODE = "/usr/bin/node";
const OLD_UNDICI = here("../node_modules/@electron/get/node_modules/undici");
const hasOldNode =
  existsSync(OLD_NODE) &&
  existsSync(OLD_UNDICI) &&
  execFileSync(OLD_NODE, ["--version"], { encoding: "utf8" }).startsWith("v20.");

const AGENT = `
import { HasheeAgent, manifestFor } from ${JSON.stringify(here("../dist/sdk/index.js"))};
const { agent } = await HasheeAgent.pair({
  name: "Reader",
  manifest: manifestFor(["read_file"], { name: "Reader", version: "1.0.0" }),
  baseUrl: process.env.HASHEE_BASE_URL,
  connectTimeoutMs: 5_000,
  storeCredentials: false,
  onCode: () => {},
  ...network,
});
console.log((await agent.callTool("read_file", { path: "/notes" })).content);
agent.disconnect();
`;

const hub = new LivedInHub();
let folder = "";
let proxy: Server;
let env: NodeJS.ProcessEnv = {};
const through: string[] = [];
const asked: string[] = [];
const usual = getGlobalDispatcher();

beforeAll(async () => {
  if (certificate === null) return;
  folder = mkdtempSync(join(tmpdir(), "sdk-https-"));
  writeFileSync(join(folder, "authority.pem"), certificate.authority);
  const port = await freePort();
  const publicUrl = `https://${NAME}:${port}`;
  const { cert, key } = certificate;
  const tls = { cert: Buffer.from(cert), key: Buffer.from(key) };
  const probe = ({ url }: IncomingMessage) => asked.push(url ?? "") === 0;
  await hub.start({ port, publicUrl, tls, probe });
  const lookup: LookupFunction = (_, __, found) =>
    found(null, [{ address: "127.0.0.1", family: 4 }]);
  setGlobalDispatcher(new Agent({ connect: { lookup, ca: certificate.authority } }));
  await hub.arrived(() => ({ status: "ok", result: { content: "# Notes" } }));
  proxy = createServer((socket) => {
    socket.once("data", (bytes) => {
      through.push(bytes.toString().split("\r\n")[0] ?? "");
      const onward = connect(port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        socket.pipe(onward).pipe(socket);
      });
      for (const end of [socket, onward]) end.on("error", () => end.destroy());
    });
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const { port: proxyPort } = proxy.address() as { port: number };
  const said = { HASHEE_BASE_URL: publicUrl, HTTPS_PROXY: `http://127.0.0.1:${proxyPort}` };
  env = { ...process.env, ...homeEnv(folder), ...said };
});
afterAll(async () => {
  setGlobalDispatcher(usual);
  proxy?.close();
  await hub.end();
  if (folder !== "") rmSync(folder, { recursive: true });
});
beforeEach(() => {
  through.length = 0;
  asked.length = 0;
});

/** @returns what it prints, or the code of its end */
async function run(node: string, network: string, more: NodeJS.ProcessEnv): Promise<string> {
  const file = join(folder, "agent.mjs");
  writeFileSync(file, `${network}${AGENT}`);
  const options = { cwd: folder, env: { ...env, ...more }, timeout: PATIENCE_MS };
  try {
    return (await promisify(execFile)(node, [file], options)).stdout.trim();
  } catch (error) {
    return /code: '(\w+)'/.exec(String((error as { stderr?: string }).stderr))?.[1] ?? "";
  }
}

const NO_OPTIONS = "const network = {};";
const authority = () => join(folder, "authority.pem");

describe.skipIf(certificate === null)(
  "an agent of a hub over TLS",
  { timeout: PATIENCE_MS },
  () => {
    it("gets there through the proxy, by a private authority, as the environment says", async () => {
      const trusting = { NODE_USE_ENV_PROXY: "1", NODE_EXTRA_CA_CERTS: authority() };
      expect(await run(process.execPath, NO_OPTIONS, trusting)).toBe("# Notes");
      expect(asked).toContain("/pairings");
      expect(new Set(through)).toEqual(
        new Set([`CONNECT ${new URL(env.HASHEE_BASE_URL ?? "").host} HTTP/1.1`]),
      );
    });

    it("tells nothing to a hub whose certificate it does not trust", async () => {
      const proxied = { NODE_USE_ENV_PROXY: "1" };
      expect(await run(process.execPath, NO_OPTIONS, proxied)).toBe("hub_unreachable");
      expect(through.length).toBeGreaterThan(0);
      expect(asked).toEqual([]);
    });

    it.skipIf(!hasOldNode)(
      "gets there in Node 20 with the client that the README passes (needs Node 20)",
      async () => {
        symlinkSync(join(OLD_UNDICI, ".."), join(folder, "node_modules"));
        const readme = readFileSync(here("./README.md"), "utf8");
        const network = /^```js\n(.*?)^```$/ms.exec(readme)?.[1] ?? "";
        expect(await run(OLD_NODE, network, { AUTHORITY: authority() })).toBe("# Notes");
        expect(through.length).toBeGreaterThan(0);
      },
    );
  },
);
