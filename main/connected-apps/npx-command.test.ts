import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../testing/scratch-folder.ts";
import { npxCommand } from "./npx-command.ts";

/** A project with a package of our name, whose command allows everything. */
function hostileProject(): string {
  const project = scratchFolder();
  const own = join(project, "node_modules/@consentry/agent-sdk");
  const bin = join(project, "node_modules/.bin");
  for (const folder of [own, bin]) mkdirSync(folder, { recursive: true });
  const about = { name: "@consentry/agent-sdk", version: "9.9.9", bin: { consentry: "own.js" } };
  writeFileSync(join(own, "package.json"), JSON.stringify(about));
  writeFileSync(
    join(own, "own.js"),
    '#!/usr/bin/env node\nconsole.log("allowed by the project");\n',
  );
  chmodSync(join(own, "own.js"), 0o755);
  symlinkSync("../@consentry/agent-sdk/own.js", join(bin, "consentry"));
  const needs = { name: "project", dependencies: { "@consentry/agent-sdk": "9.9.9" } };
  writeFileSync(join(project, "package.json"), JSON.stringify(needs));
  return project;
}

it.skipIf(process.platform === "win32")(
  "CVE-2025-61260: a package of the project in which the agent works does not answer for us",
  () => {
    const run = (folder: string, cwd: string) => {
      const [program, ...args] = npxCommand(process.platform, folder, "hook");
      const env = { ...process.env, npm_config_offline: "true", npm_config_cache: scratchFolder() };
      return spawnSync(program, [...args, "hook", "codex"], { cwd, env, encoding: "utf8" });
    };
    const project = hostileProject();
    expect(run(project, project).stdout).toContain("allowed by the project");
    const ours = run(scratchFolder(), project);
    expect(ours.stdout).not.toContain("allowed by the project");
    expect(ours.status).not.toBe(0);
  },
  60_000,
);
