import { chmodSync, chownSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CATALOGUE } from "../../app/contract/catalogue.ts";
import { LEAST_RETENTION_DAYS, NO_POLICY } from "../../app/policy/policy-file.ts";
import { scratchFolder } from "../testing/scratch-folder.ts";
import { findPolicy, readPolicy, systemPolicyFile } from "./system-policy.ts";

function files() {
  const folder = scratchFolder();
  const place = join(folder, "etc");
  mkdirSync(place, { mode: 0o755 });
  const system = join(place, "policy.json");
  const further = join(folder, "further.json");
  const write = (file: string, policy: object) =>
    writeFileSync(file, JSON.stringify({ version: 1, ...policy }), { mode: 0o644 });
  return { folder, place, system, further, write };
}
const isRoot = process.getuid?.() === 0;

test("the example in the administrators' page is a policy, and its schema the one that is checked with", () => {
  const page = readFileSync(new URL("../../docs/administrators.md", import.meta.url), "utf8");
  const [, example = ""] = /```json\n([^`]*)```/.exec(page) ?? [];
  const read = readPolicy(NO_POLICY, "policy.json", Buffer.from(example));
  expect(read).toMatchObject({
    ok: true,
    policy: { deniedScopes: ["shell:exec"], hubPort: 4800, retentionDays: 90, updatesOff: true },
  });
  const { deniedScopes, sensitivities } = read.ok ? read.policy : NO_POLICY;
  const known = [...CATALOGUE.values()].map(({ scope }) => scope);
  expect(known).toEqual(expect.arrayContaining([...deniedScopes, ...sensitivities.keys()]));
});

test.each([
  [1, true],
  [9999, true],
  [65535, true],
  [0, false],
  [65536, false],
  [70000, false],
  [99999, false],
  [100000, false],
])("a policy can set the hub's port to %s: %s", (port, expected) => {
  const text = JSON.stringify({ version: 1, hub_address: `http://127.0.0.1:${port}` });
  expect(readPolicy(NO_POLICY, "policy.json", Buffer.from(text)).ok).toBe(expected);
});

test("a policy may begin with a byte order mark", () => {
  const read = readPolicy(
    NO_POLICY,
    "policy.json",
    Buffer.from('\uFEFF{ "version": 1, "updates": "off" }'),
  );
  expect(read).toMatchObject({ ok: true, policy: { updatesOff: true } });
});

const deep = (levels: number) =>
  `{ "version": 1, "denied_scopes": ${"[".repeat(levels)}${"]".repeat(levels)} }`;

test.each([
  ["not_utf8", Buffer.from('{ "version": 1,\n "updates": "\xff" }', "latin1"), [2, 14], ""],
  ["not_json", '{ "version": 1,\n  half', [2, 3], ""],
  ["not_json", '{ "version": 1, "version": 1 }', [1, 17], "/version"],
  [
    "not_json",
    '{ "version": 1, "sensitivities": { "a": "low", "\\u0061": "low" } }',
    [1, 48],
    "/sensitivities/a",
  ],
  ["not_json", '{ "version": 1, "updates": "\\ud800" }', [1, 28], "/updates"],
  ["not_json", '{ "version": 90071992547409931 }', [1, 14], "/version"],
  ["too_deep", deep(70), [1, 97], ""],
  ["too_deep", deep(5_000), [1, 97], ""],
  ["too_deep", "[".repeat(500_000), [1, 65], ""],
  ["unknown_member", '{ "version": 1, "else": 1 }', [1, 17], "/else"],
])("%s is a fault with its place, case %#", (code, content, [line, column], pointer) => {
  const read = readPolicy(NO_POLICY, "policy.json", Buffer.from(content));
  expect(read).toEqual({
    ok: false,
    fault: { file: "policy.json", code, place: { line, column, pointer } },
  });
});

test.each([
  ["Linux", "linux"],
  ["macOS", "darwin"],
  ["Windows", "win32"],
] as const)("on %s the policy lies where the administrators' page says", (name, platform) => {
  const page = readFileSync(new URL("../../docs/administrators.md", import.meta.url), "utf8");
  const [, file] = new RegExp(`^\\| ${name} +\\| \`([^\`]+)\``, "m").exec(page) ?? [];
  expect(systemPolicyFile(platform)).toBe(file);
});

describe("the policy of a computer", () => {
  test("is none where there is no file", () => {
    const { system } = files();
    expect(findPolicy(system, null)).toMatchObject({
      policy: { allowedAgents: null, updatesOff: false, retentionDays: LEAST_RETENTION_DAYS },
      view: null,
    });
  });

  test.runIf(isRoot)("and a further one apply together, each only more strictly", () => {
    const { system, further, write } = files();
    write(system, {
      allowed_agents: ["0000 0000 0000 0000 0001", "0000 0000 0000 0000 0002"],
      denied_scopes: ["a"],
      sensitivities: { x: "high", y: "medium" },
      retention_days: 90,
      updates: "off",
      hub_address: "http://127.0.0.1:4810",
    });
    write(further, {
      allowed_agents: ["0000 0000 0000 0000 0002", "0000 0000 0000 0000 0003"],
      denied_scopes: ["b"],
      sensitivities: { x: "medium", y: "high" },
      retention_days: 30,
    });
    expect(findPolicy(system, further).policy).toEqual({
      allowedAgents: ["0000 0000 0000 0000 0002"],
      deniedScopes: ["a", "b"],
      sensitivities: new Map([
        ["x", "high"],
        ["y", "high"],
      ]),
      hubPort: 4810,
      retentionDays: 90,
      updatesOff: true,
    });
    write(further, { hub_address: "http://127.0.0.1:4811" });
    expect(findPolicy(system, further).view).toMatchObject({
      fault: { code: "hub_differs", file: further },
    });
  });

  test.runIf(isRoot)(
    "counts only if nobody but root can change it, and is not passed over otherwise",
    () => {
      const { place, system, write } = files();
      write(system, {});
      expect(findPolicy(system, null).view).toMatchObject({ state: "applied" });
      const fault = { state: "broken", fault: { code: "not_protected" } };
      chmodSync(system, 0o664);
      expect(findPolicy(system, null).view).toMatchObject(fault);
      chmodSync(system, 0o644);
      chmodSync(place, 0o777);
      expect(findPolicy(system, null).view).toMatchObject(fault);
    },
  );

  test.runIf(!isRoot && process.platform !== "win32")(
    "of somebody else than root is refused",
    () => {
      const { system, write } = files();
      write(system, {});
      expect(findPolicy(system, null).view).toMatchObject({ fault: { code: "not_protected" } });
    },
  );

  test.runIf(process.platform !== "win32")(
    "may be one that the person names, if no other person can change it",
    () => {
      const { folder, system, further, write } = files();
      write(further, {});
      chmodSync(folder, 0o755);
      expect(findPolicy(system, further).view).toMatchObject({ state: "applied" });
      const fault = { state: "broken", fault: { code: "open_to_others", file: further } };
      for (const [path, mode, usual] of [
        [further, 0o646, 0o644],
        [further, 0o664, 0o644],
        [folder, 0o777, 0o755],
        [folder, 0o775, 0o755],
      ] as const) {
        chmodSync(path, mode);
        expect(findPolicy(system, further).view).toMatchObject(fault);
        chmodSync(path, usual);
      }
    },
  );

  test.runIf(isRoot)("is refused if it belongs to somebody else", () => {
    const { system, further, write } = files();
    write(further, {});
    chownSync(further, 12_345, 12_345);
    expect(findPolicy(system, further).view).toMatchObject({ fault: { code: "open_to_others" } });
  });

  test("is no link", () => {
    const { system, further, write } = files();
    write(further, {});
    symlinkSync(further, system);
    expect(findPolicy(system, null).view).toMatchObject({ fault: { code: "unreadable" } });
  });
});
