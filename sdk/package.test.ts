import { execFile } from "node:child_process";
import { copyFile, cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";

// Each test starts a program, which takes a busy machine many seconds.
vi.setConfig({ testTimeout: 120_000 });

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const TSC = here("../node_modules/.bin/tsc");

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sdk-package-"));
});

afterAll(() => rm(folder, { recursive: true }));

/** @returns what the compiler said; empty when it had nothing to say */
async function compile(config: object, name: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(config));
  const run = promisify(execFile)(TSC, ["-p", path], { cwd: folder });
  return run.then(
    () => "",
    ({ stdout }: { stdout: string }) => stdout,
  );
}

it("its types are complete without the packages its code was built with", async () => {
  const installed = join(folder, "node_modules/@consentry/agent-sdk");
  await mkdir(installed, { recursive: true });
  await copyFile(here("./package.json"), join(installed, "package.json"));
  const emit = {
    rootDir: here(".."),
    outDir: join(installed, "types"),
    composite: false,
    types: ["node"],
    typeRoots: [here("../node_modules/@types")],
  };
  const building = {
    extends: here("./tsconfig.json"),
    compilerOptions: emit,
    files: [here("./index.ts"), here("./models/index.ts")],
    include: [],
    references: [],
  };
  expect(await compile(building, "tsconfig.build.json")).toBe("");
  await cp(here("./examples"), join(folder, "program"), { recursive: true });
  await mkdir(join(folder, "node_modules/@anthropic-ai"));
  const client = "node_modules/@anthropic-ai/sdk";
  await symlink(here(`../${client}`), join(folder, client), "junction");
  const using = {
    compilerOptions: {
      target: "ES2022",
      module: "NodeNext",
      strict: true,
      skipLibCheck: false,
      noEmit: true,
      types: ["node"],
      typeRoots: [here("../node_modules/@types")],
    },
    include: ["program/*.ts"],
  };
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  expect(await compile(using, "tsconfig.use.json")).toBe("");
});
