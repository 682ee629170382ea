import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly "runs-on": string;
  readonly "timeout-minutes"?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: {
    readonly matrix: { readonly include: readonly { readonly system: string }[] };
  };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const root = fileURLToPath(new URL("..", import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const workflows = globSync(".github/workflows/*.yml", { cwd: root }).map((path) => {
  const text = readFileSync(join(root, path), "utf8");
  // What is checked below is all that is taken from it.
  return { path, text, workflow: load(text) as Workflow };
});

/** What the one job that signs needs; no other gets more than to read the sources. */
const SIGNING = { attestations: "write", "id-token": "write" };
const PINNED = /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/;

test("there are workflows for all three systems", () => {
  const systems = workflows.flatMap(({ workflow }) =>
    Object.values(workflow.jobs).flatMap(
      ({ strategy }) => strategy?.matrix.include.map(({ system }) => system) ?? [],
    ),
  );
  for (const system of ["ubuntu", "macos", "windows"]) {
    expect(systems.some((each) => each.startsWith(`${system}-`))).toBe(true);
  }
});

describe.each(workflows)("$path", ({ text, workflow }) => {
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps);
  const runs = steps.flatMap(({ run }) => run ?? []);

  test("uses every action by the digest of one version, which a comment names", () => {
    const uses = steps.flatMap((step) => step.uses ?? []);
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((each) => !PINNED.test(each))).toEqual([]);
    const lines = text.split("\n").filter((line) => line.includes("uses:"));
    expect(lines.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  test("may read the sources; what signs may sign besides, and reads none", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    const more = jobs.flatMap(({ permissions }) =>
      permissions === undefined ? [] : [permissions],
    );
    for (const permissions of more) expect(permissions).toEqual(SIGNING);
    const signing = jobs.filter(({ permissions }) => permissions !== undefined);
    expect(signing.flatMap((job) => job.steps).filter(({ run }) => run !== undefined)).toEqual([]);
  });

  test("leaves no credentials in the checkout, and runs for no stranger with rights of ours", () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    for (const { with: given } of checkouts) expect(given?.["persist-credentials"]).toBe(false);
    expect(Object.keys(workflow.on)).not.toContain("pull_request_target");
    expect(Object.keys(workflow.on)).not.toContain("workflow_run");
  });

  test("puts nothing into a command but its own matrix, and secrets into an environment alone", () => {
    const filledIn = runs.flatMap((run) => [...run.matchAll(/\$\{\{\s*([\w.]+)/g)]);
    expect(filledIn.map(([, name = ""]) => name).filter((name) => !/^matrix\./.test(name))).toEqual(
      [],
    );
    expect(runs.filter((run) => run.includes("secrets."))).toEqual([]);
  });

  test("ends in time, and runs scripts that there are", () => {
    for (const job of jobs) expect(job["timeout-minutes"]).toBeLessThanOrEqual(90);
    const named = runs.flatMap((run) => [...run.matchAll(/npm run ([\w:-]+)/g)]);
    expect(named.map(([, name = ""]) => name).filter((name) => !(name in scripts))).toEqual([]);
  });
});
