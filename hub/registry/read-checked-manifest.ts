import { type ManifestVerdict, readManifest } from "../../app/contract/check-manifest.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownValue,
} from "../../app/contract/json.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import type { Manifest } from "../../app/contract/manifest.ts";
import type { ManifestProblem, ManifestWarning } from "../../app/contract/manifest-remarks.ts";
import { refusal } from "../hub-error.ts";
import type { HubOptions, SchemaProblem } from "../hub-options.ts";

/** Seconds. */
const RETRY_AFTER_S = 5;

export interface CheckedManifest {
  readonly manifest: Manifest;
  /** Lowercase hex SHA-256 of the RFC 8785 form. */
  readonly hash: string;
  readonly warnings: readonly ManifestWarning[];
}

/**
 * Reads a manifest as sent, and has every tool's schema compiled elsewhere (contract §5).
 * @throws Refusal MANIFEST_TOO_LARGE; MANIFEST_INVALID with `params.problems` — all of them, each
 * with its JSON Pointer — and `params.warnings`; OVERLOADED when there was no time to look at all
 */
export async function readCheckedManifest(
  body: Uint8Array,
  checkSchema: HubOptions["checkSchema"],
): Promise<CheckedManifest> {
  const verdict = readManifest(body);
  const problems = await manifestProblems(checkSchema, verdict);
  if (problems === "busy") throw refusal("OVERLOADED", { retry_after: RETRY_AFTER_S });
  if (problems.some((problem) => problem.code === "MANIFEST_TOO_LARGE")) {
    throw refusal("MANIFEST_TOO_LARGE", { max_bytes: LIMITS.manifestBytes });
  }
  if (verdict.ok && problems.length === 0) return verdict;
  throw refusal("MANIFEST_INVALID", { problems, warnings: verdict.warnings });
}

/** Everything wrong with a manifest: empty if it is accepted, busy if there was no time to check. */
export async function manifestProblems(
  checkSchema: HubOptions["checkSchema"],
  verdict: ManifestVerdict,
): Promise<readonly ManifestProblem[] | "busy"> {
  const problems = verdict.ok ? [] : [...verdict.problems];
  for (const { schema, pointer } of schemasToCompile(verdict.value, problems)) {
    const found = await checkSchema(schema);
    if (found === "busy") return found;
    problems.push(...found.map((problem) => placed(problem, pointer)));
    // One that had to be killed is enough: the others' manifests wait meanwhile.
    if (found.some(({ code }) => code === "schema_undecided")) break;
  }
  return problems;
}

const placed = (problem: SchemaProblem, pointer: string): ManifestProblem => ({
  pointer: pointer + problem.pointer,
  code: "input_schema_invalid",
  detail: problem.code,
});

/** Every tool's schema that nothing has been said against yet. */
function schemasToCompile(
  manifest: JsonValue,
  found: readonly ManifestProblem[],
): { readonly schema: JsonObject; readonly pointer: string }[] {
  const tools = isJsonObject(manifest) ? ownValue(manifest, "tools") : undefined;
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: JsonValue, index) => {
    const pointer = `/tools/${index}/input_schema`;
    const schema = isJsonObject(tool) ? ownValue(tool, "input_schema") : undefined;
    const isRefused = found.some(
      (problem) => problem.pointer === pointer || problem.pointer.startsWith(`${pointer}/`),
    );
    return isJsonObject(schema) && !isRefused ? [{ schema, pointer }] : [];
  });
}
