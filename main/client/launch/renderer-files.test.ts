import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { readRendererFiles, rendererHeaders } from "./renderer-files.ts";

test("every built file is known by its URL path, and nothing else is", async () => {
  const folder = scratchFolder();
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), "main");
  await writeFile(join(folder, "consent.html"), "consent");
  await writeFile(join(folder, "assets", "x.css"), "");
  await writeFile(join(folder, "assets", "odd.bin"), "");
  await symlink("/etc/hostname", join(folder, "link.html"));
  const files = await readRendererFiles(pathToFileURL(`${folder}/`));
  expect([...files.keys()].sort()).toEqual([
    "/",
    "/assets/odd.bin",
    "/assets/x.css",
    "/consent.html",
    "/index.html",
  ]);
  expect(files.get("/")).toBe(files.get("/index.html"));
  expect(files.get("/assets/x.css")?.type).toBe("text/css; charset=utf-8");
  expect(files.get("/assets/odd.bin")?.type).toBe("application/octet-stream");
});

test("a renderer that was not built is a coded error", async () => {
  const empty = scratchFolder();
  for (const folder of [empty, join(empty, "absent")]) {
    await expect(readRendererFiles(pathToFileURL(`${folder}/`))).rejects.toMatchObject({
      code: "renderer_missing",
    });
  }
});

test("a page given no addresses may connect to nothing", () => {
  const policy = rendererHeaders("text/html", [])["Content-Security-Policy"];
  expect(policy).toContain("connect-src 'none'");
});
