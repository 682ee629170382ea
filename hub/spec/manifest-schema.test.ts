import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { checkManifest, type ManifestVerdict } from "../../app/contract/check-manifest.ts";
import { isJsonObject, type JsonValue, ownValue } from "../../app/contract/json.ts";
import {
  BEYOND_SCHEMA,
  MANIFEST_PROBLEMS,
  MANIFEST_WARNINGS,
  WARNED_OF,
} from "../../app/contract/manifest-remarks.ts";
import { HubRig, sampleManifest } from "../testing/hub-rig.ts";

let isTold: ValidateFunction;
let told: string;
beforeAll(async () => {
  const rig = await HubRig.start();
  const { json } = await rig.rest("GET", "/openapi.json");
  await rig.hub.close();
  const { Manifest } = json.components.schemas;
  told = JSON.stringify(Manifest);
  isTold = new Ajv2020({ strict: false }).compile(Manifest);
});

/** Whether a schema could have said it. */
function isOfForm(manifest: JsonValue, { pointer, code }: { pointer: string; code: string }) {
  if (!(code in BEYOND_SCHEMA)) return true;
  // Of a scope that nobody declared a schema knows nothing; that it has to be a text it knows.
  return code === "scope_without_entry" && typeof valueAt(manifest, pointer) !== "string";
}

function valueAt(value: JsonValue | undefined, pointer: string): JsonValue | undefined {
  const [, key, ...rest] = pointer.split("/");
  if (key === undefined || value === undefined) return value;
  const below = Array.isArray(value)
    ? value[Number(key)]
    : isJsonObject(value)
      ? ownValue(value, key)
      : undefined;
  return valueAt(below, rest.map((each) => `/${each}`).join(""));
}

function problemsOfForm(manifest: JsonValue) {
  const verdict: ManifestVerdict = checkManifest(manifest, 1_000);
  return verdict.ok ? [] : verdict.problems.filter((problem) => isOfForm(manifest, problem));
}

const PATHS = [
  ...["schema_version", "agent_version", "tools", "permission_scopes", "capability_flags"],
  ...["capability_flags/supports_voice", "capability_flags/supports_group_chat"],
  ...["tools/0", "tools/0/name", "tools/0/description_i18n_key", "tools/0/description_fallback"],
  ...["tools/0/input_schema", "tools/0/input_schema/type", "tools/0/input_schema/properties"],
  ...["tools/0/permission_scope", "tools/0/timeout_ms", "tools/0/required", "tools/0/more"],
  ...["permission_scopes/0", "permission_scopes/0/id", "permission_scopes/1/id"],
  ...["permission_scopes/0/label_i18n_key", "permission_scopes/0/label_fallback"],
  ...["permission_scopes/1/label_fallback", "permission_scopes/0/sensitivity"],
  ...["permission_scopes/0/description_i18n_key", "permission_scopes/1/description_fallback"],
];
const VALUES: readonly (JsonValue | undefined)[] = [
  ...[undefined, null, true, 0, 1, -1, 1.5, 2 ** 53 - 1, 2 ** 53, "", "x", [], {}, "1.0", "2.0"],
  ...["1.2.3", "1.2.3-alpha.1+b", "01.2.3", "1.2", `1.2.3-${"a".repeat(256)}`],
  ...["low", "high", "none", "ab", "a".repeat(32), "a".repeat(33), "read_file\n", "fetch_url"],
  ...["filesystem:read", "shell:exec", "crm:read", "hashee:x", "SYSTEM:x", "sys:x", "__proto__"],
  ...["🙈".repeat(128), "🙈".repeat(129), { type: "object" }, { type: "array" }, ["object"]],
  { type: "object", properties: { a: { minLength: -1 } } },
];

type Change = readonly [path: string, value: JsonValue | undefined];

/** A right manifest with some of its values exchanged for others, or taken out. */
function changed(changes: readonly Change[]): JsonValue {
  const manifest = structuredClone(sampleManifest({ capability_flags: {} })) as JsonValue;
  for (const [path, value] of changes) {
    const at = path.lastIndexOf("/");
    const holder = valueAt(manifest, at === -1 ? "" : `/${path.slice(0, at)}`);
    const last = path.slice(at + 1);
    if (typeof holder !== "object" || holder === null) continue;
    if (value === undefined && !Array.isArray(holder)) Reflect.deleteProperty(holder, last);
    else Reflect.set(holder, last, value ?? null);
  }
  return manifest;
}

const changes = fc.array(fc.tuple(fc.constantFrom(...PATHS), fc.constantFrom(...VALUES)), {
  minLength: 1,
  maxLength: 3,
});

describe("the manifest in the OpenAPI", () => {
  it("fits exactly the manifests in which the checker finds nothing that a schema could say", () => {
    let fitting = 0;
    fc.assert(
      fc.property(changes, (made) => {
        const manifest = changed(made);
        const problems = problemsOfForm(manifest);
        expect(isTold(manifest), JSON.stringify(problems)).toBe(problems.length === 0);
        if (problems.length === 0) fitting += 1;
      }),
      { numRuns: 3_000, seed: 1 },
    );
    // Neither all of them nor none.
    expect(fitting).toBeGreaterThan(300);
    expect(fitting).toBeLessThan(2_700);
  });

  it("agrees with the checker about each value in each place", () => {
    const differing = PATHS.flatMap((path) =>
      VALUES.flatMap((value) => {
        const manifest = changed([[path, value]]);
        const isRight = problemsOfForm(manifest).length === 0;
        return isTold(manifest) === isRight ? [] : [`${path}: ${JSON.stringify(value)}`];
      }),
    );
    expect(differing).toEqual([]);
  });

  it("tells every problem and every warning by its code", () => {
    for (const code of MANIFEST_PROBLEMS) expect(told).toContain(code);
    expect(Object.keys(WARNED_OF).toSorted()).toEqual([...MANIFEST_WARNINGS].toSorted());
  });
});
