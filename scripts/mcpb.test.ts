import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { strFromU8, type Unzipped, unzipSync } from "fflate";
import Type from "typebox";
import { Check, Errors } from "typebox/value";
import { beforeAll, describe, expect, it } from "vitest";
import { scratchFolder } from "../main/testing/scratch-folder.ts";

const SCRIPT = fileURLToPath(new URL("mcpb.ts", import.meta.url));
const SOURCES = fileURLToPath(new URL("../package.json", import.meta.url));
const URL_OF_BUNDLE = "https://example.org/consentry-0.1.0.mcpb";
const closed = { additionalProperties: false } as const;

/** What version 0.3 of the format says of the members that we use; others it must not have. */
const Manifest = Type.Object(
  {
    manifest_version: Type.Literal("0.3"),
    name: Type.String({ pattern: "^[a-z0-9-]+$" }),
    display_name: Type.String(),
    version: Type.String({ pattern: "^\\d+\\.\\d+\\.\\d+$" }),
    description: Type.String(),
    long_description: Type.String(),
    author: Type.Object({ name: Type.String() }, closed),
    license: Type.String(),
    server: Type.Object(
      {
        type: Type.Enum(["python", "node", "binary"]),
        entry_point: Type.String(),
        mcp_config: Type.Object(
          {
            command: Type.String(),
            args: Type.Array(Type.String()),
            env: Type.Record(Type.String(), Type.String()),
          },
          closed,
        ),
      },
      closed,
    ),
    tools: Type.Array(Type.Object({ name: Type.String(), description: Type.String() }, closed)),
    tools_generated: Type.Boolean(),
    compatibility: Type.Object(
      {
        platforms: Type.Array(Type.Enum(["darwin", "win32", "linux"])),
        runtimes: Type.Object({ node: Type.String() }, closed),
      },
      closed,
    ),
  },
  closed,
);

/** The registry's schema of 2025-12-11, as far as it speaks of what we use. */
const RegistryEntry = Type.Object(
  {
    $schema: Type.Literal(
      "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    ),
    name: Type.String({
      minLength: 3,
      maxLength: 200,
      pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$",
    }),
    title: Type.String({ minLength: 1, maxLength: 100 }),
    description: Type.String({ minLength: 1, maxLength: 100 }),
    version: Type.String({ maxLength: 255, pattern: "^[^\\^~<>=x*]+$" }),
    packages: Type.Array(
      Type.Object(
        {
          registryType: Type.Literal("mcpb"),
          identifier: Type.String({ pattern: "^https://.*mcp" }),
          version: Type.String({ minLength: 1, maxLength: 255, pattern: "^\\d" }),
          fileSha256: Type.String({ pattern: "^[a-f0-9]{64}$" }),
          transport: Type.Object({ type: Type.Literal("stdio") }, closed),
        },
        closed,
      ),
    ),
  },
  closed,
);

let out: string;
let bundle: Uint8Array;
let files: Unzipped;
beforeAll(() => {
  out = mkdtempSync(join(tmpdir(), "consentry-mcpb-test-"));
  const { status, stderr } = make(out, "--url", URL_OF_BUNDLE);
  expect([status, stderr]).toEqual([0, ""]);
  bundle = readFileSync(join(out, "consentry-0.1.0.mcpb"));
  files = unzipSync(bundle);
  return () => rmSync(out, { recursive: true });
});

function make(folder: string, ...flags: readonly string[]) {
  const args = [SCRIPT, "--out", folder, ...flags];
  return spawnSync(process.execPath, args, { encoding: "utf8" });
}

const inBundle = (name: string): string => strFromU8(files[name] ?? new Uint8Array());

describe("the bundle", () => {
  it("has a manifest of the format, for the version of this project", () => {
    const manifest: unknown = JSON.parse(inBundle("manifest.json"));
    expect([...Errors(Manifest, manifest)]).toEqual([]);
    const { version } = JSON.parse(readFileSync(SOURCES, "utf8"));
    expect(manifest).toMatchObject({ version, server: { entry_point: "server/index.js" } });
  });

  it("holds the server, the licences of what is in it, and nothing else", () => {
    expect(Object.keys(files).toSorted()).toEqual([
      "LICENCES.md",
      "LICENSE",
      "manifest.json",
      "server/index.js",
      "server/package.json",
    ]);
    expect(inBundle("LICENCES.md")).toContain("@modelcontextprotocol/server");
  });

  it("is the same bytes from the same sources", () => {
    const other = scratchFolder();
    make(other);
    expect(readFileSync(join(other, "consentry-0.1.0.mcpb")).equals(bundle)).toBe(true);
  });

  it("starts as its manifest says, and asks the person to start Consentry", async () => {
    const folder = scratchFolder();
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    const { args } = JSON.parse(inBundle("manifest.json")).server.mcp_config;
    // Elsewhere than this project, where none of its packages can be found.
    const client = new Client({ name: "desktop", version: "1.0.0" });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: args.map((word: string) => word.replace(/^\$\{__dirname\}/, folder)),
        cwd: folder,
        env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, PATH: "" },
      }),
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["request_permission"]);
    const said = await client.callTool({ name: "request_permission", arguments: {} });
    expect(JSON.stringify(said)).toContain("Ask the person to start it");
    await client.close();
  });
});

it("the registry's entry is of its schema, and names this very file", () => {
  const entry: unknown = JSON.parse(readFileSync(join(out, "server.json"), "utf8"));
  expect([...Errors(RegistryEntry, entry)]).toEqual([]);
  expect(Check(RegistryEntry, entry)).toBe(true);
  const fileSha256 = createHash("sha256").update(bundle).digest("hex");
  expect(entry).toMatchObject({ packages: [{ identifier: URL_OF_BUNDLE, fileSha256 }] });
});
