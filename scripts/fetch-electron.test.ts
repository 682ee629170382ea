import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { strToU8, zipSync } from "fflate";
import { afterEach, expect, test } from "vitest";
import { scratchFolder } from "../main/testing/scratch-folder.ts";
import { fetchElectron } from "./fetch-electron.ts";
import { findElectron } from "./find-electron.ts";

const PACKAGES = fileURLToPath(new URL("../node_modules", import.meta.url));
let mirror: Server | null = null;

afterEach(() => {
  mirror?.closeAllConnections();
  mirror?.close();
});

/** A checkout with Electron's installer, without its binary. */
function checkout(): URL {
  const folder = scratchFolder();
  const packages = join(folder, "node_modules");
  mkdirSync(packages);
  cpSync(join(PACKAGES, "electron"), join(packages, "electron"), {
    recursive: true,
    filter: (path) => !/electron[\\/](dist|path\.txt)/.test(path.slice(PACKAGES.length)),
  });
  for (const name of ["@electron", "@electron-internal"]) {
    symlinkSync(join(PACKAGES, name), join(packages, name), "junction");
  }
  return pathToFileURL(`${folder}/`);
}

/** Runs the installer against a mirror that answers as given. */
async function fetchFrom(answer: RequestListener, stallMs = 60_000) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  });
  mirror = server;
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  const root = checkout();
  const said: string[] = [];
  const env = {
    ...process.env,
    ELECTRON_MIRROR: `http://127.0.0.1:${port}/`,
    electron_config_cache: scratchFolder(),
    electron_use_remote_checksums: "1",
  };
  const why = await fetchElectron(root, env, (line) => said.push(line), stallMs);
  return { why, root, said, asked };
}

const ZIP = zipSync({
  electron: strToU8("the program"),
  version: strToU8(
    JSON.parse(readFileSync(join(PACKAGES, "electron/package.json"), "utf8")).version,
  ),
});

const serve: RequestListener = (request, response) => {
  const name = (request.url ?? "").split("/").at(-1) ?? "";
  if (name.endsWith(".zip")) {
    response.setHeader("content-length", ZIP.byteLength);
    response.end(ZIP);
  } else {
    const digest = createHash("sha256").update(ZIP).digest("hex");
    response.end(
      ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64"]
        .map(
          (on) => `${digest} *electron-v${/v([\d.]+)\//.exec(request.url ?? "")?.[1]}-${on}.zip\n`,
        )
        .join(""),
    );
  }
};

test("Electron's installer fetches it from the mirror, and it is found", async () => {
  const { why, root, said } = await fetchFrom(serve);
  expect(why).toBeNull();
  expect(findElectron(root, {})).not.toBeNull();
  expect(said).toContain("Unpacking Electron.");
});

test("a download that breaks off is tried once more", async () => {
  let broken = false;
  const { why, said, asked } = await fetchFrom((request, response) => {
    if (broken) return serve(request, response);
    broken = true;
    response.writeHead(200, { "content-length": ZIP.byteLength });
    response.write(ZIP.subarray(0, 10), () => response.destroy());
  });
  expect(why).toBeNull();
  expect(said).toContain("Fetching Electron once more: the download broke off.");
  expect(asked.filter((path) => path.endsWith(".zip"))).toHaveLength(2);
});

test("a server that refuses is not asked again", async () => {
  const { why, root, asked } = await fetchFrom((_, response) => response.writeHead(403).end());
  expect(why).toMatch(/^127\.0\.0\.1:\d+ answered 403$/);
  expect(asked).toHaveLength(1);
  expect(findElectron(root, {})).toBeNull();
});

test("a network that refuses is not asked again", async () => {
  const root = checkout();
  const closed = createServer();
  await new Promise<void>((ready) => closed.listen(0, "127.0.0.1", ready));
  const { port } = closed.address() as AddressInfo;
  await new Promise((done) => closed.close(done));
  const env = {
    ...process.env,
    ELECTRON_MIRROR: `http://127.0.0.1:${port}/`,
    electron_config_cache: scratchFolder(),
  };
  const said: string[] = [];
  const why = await fetchElectron(root, env, (line) => said.push(line));
  expect(why).toBe(`127.0.0.1:${port} cannot be reached (ECONNREFUSED)`);
  expect(said).toEqual([]);
});

test("a server that sends nothing is given up, without another try", async () => {
  const { why, root, asked } = await fetchFrom(() => {}, 1_500);
  expect(why).toBe("no data came for 2 s");
  expect(asked.length).toBeLessThanOrEqual(1);
  expect(existsSync(fileURLToPath(new URL("node_modules/electron/dist", root)))).toBe(false);
});
