import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { createScanner, getLocation, type Node, type ParseError, parseTree } from "jsonc-parser";
import { Errors } from "typebox/value";
import type { PolicyFault, PolicyView } from "../../app/bridge/views.ts";
import { CATALOGUE } from "../../app/contract/catalogue.ts";
import { guardOf } from "../../app/contract/checked.ts";
import type { JsonValue } from "../../app/contract/json.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import { parseStrictJson, strictJsonError } from "../../app/contract/strict-json.ts";
import {
  isProtectedByMode,
  isProtectedOnWindows,
  LEAST_RETENTION_DAYS,
  NO_POLICY,
  type Policy,
  PolicyFile,
  withFile,
} from "../../app/policy/policy-file.ts";

const POLICY_BYTES = 1_048_576;
const ON_WINDOWS = "C:\\ProgramData\\Consentry\\policy.json";
const POWERSHELL = "C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe";

/** Where administrators put it. */
export function systemPolicyFile(platform: NodeJS.Platform = process.platform): string {
  if (platform === "win32") return ON_WINDOWS;
  return platform === "darwin"
    ? "/Library/Application Support/Consentry/policy.json"
    : "/etc/consentry/policy.json";
}

export interface FoundPolicy {
  /** What applies; while a file is broken it is what the others say, and nothing runs anyway. */
  readonly policy: Policy;
  /** Null: there is none. */
  readonly view: PolicyView | null;
}

/**
 * Reads the policy of this computer, and a further file that can only restrict it.
 *
 * @param system where the computer's is
 * @param further given at the start; it must exist
 */
export function findPolicy(system: string, further: string | null): FoundPolicy {
  let policy = NO_POLICY;
  const files: string[] = [];
  for (const [file, isSystem] of [[system, true] as const, [further, false] as const]) {
    if (file === null) continue;
    const found = contentOf(file, isSystem);
    if (found === null) continue;
    const read =
      "fault" in found ? { ok: false as const, ...found } : readPolicy(policy, file, found);
    if (!read.ok) return { policy, view: { state: "broken", fault: read.fault } };
    policy = read.policy;
    files.push(file);
  }
  return { policy, view: files.length === 0 ? null : viewOf(policy, files) };
}

const viewOf = (policy: Policy, files: readonly string[]): PolicyView => ({
  state: "applied",
  files,
  allowed_agents: policy.allowedAgents?.length ?? null,
  denied_scopes: policy.deniedScopes,
  sensitivities: [...policy.sensitivities].map(([scope, least]) => ({ scope, least })),
  unknown_scopes: unknownScopes(policy),
  hub_managed: policy.hubPort !== null,
  retention_days: policy.retentionDays > LEAST_RETENTION_DAYS ? policy.retentionDays : null,
  updates_off: policy.updatesOff,
});

function unknownScopes({ deniedScopes, sensitivities }: Policy): readonly string[] {
  const known = new Set([...CATALOGUE.values()].map(({ scope }) => scope));
  return [...new Set([...deniedScopes, ...sensitivities.keys()])].filter((id) => !known.has(id));
}

/** Null: there is no system policy. A file that cannot be read or trusted is not ignored. */
function contentOf(file: string, isSystem: boolean): Uint8Array | null | { fault: PolicyFault } {
  const fault = (code: PolicyFault["code"]) => ({ fault: { file, code, place: null } });
  try {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return isSystem ? null : fault("unreadable");
    if (!stat.isFile()) return fault("unreadable");
    if (stat.size > POLICY_BYTES) return fault("too_large");
    const paths = [file, dirname(resolve(file))];
    if (!paths.every((path) => isProtected(path, isSystem))) {
      return fault(isSystem ? "not_protected" : "open_to_others");
    }
    return readFileSync(file);
  } catch {
    return fault("unreadable");
  }
}

/** Only administrators may change the system's policy; this account may change one it has named. */
function isProtected(path: string, isSystem: boolean): boolean {
  if (process.platform !== "win32") {
    return isProtectedByMode(lstatSync(path), isSystem ? null : (process.geteuid?.() ?? null));
  }
  const script =
    "(Get-Acl -LiteralPath $env:CONSENTRY_POLICY).Sddl; [Security.Principal.WindowsIdentity]::GetCurrent().User.Value";
  const env = { SystemRoot: "C:\\Windows", CONSENTRY_POLICY: path };
  const args = ["-NoProfile", "-NonInteractive", "-Command", script];
  const told = execFileSync(POWERSHELL, args, { encoding: "utf8", env, timeout: 20_000 });
  const [sddl = "", account = ""] = told.split(/\r?\n/);
  return isProtectedOnWindows(sddl.trim(), isSystem ? null : account.trim());
}

const isPolicyFile = guardOf(PolicyFile);

type PolicyReading =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly fault: PolicyFault };

/**
 * Adds what a file says to what applies already.
 * @param file its path, for the fault
 * @param content may begin with a byte order mark, as some editors write
 */
export function readPolicy(before: Policy, file: string, content: Uint8Array): PolicyReading {
  const text = new TextDecoder().decode(content);
  const fault = (code: PolicyFault["code"], offset: number, pointer = ""): PolicyReading => ({
    ok: false,
    fault: { file, code, place: { ...positionOf(text, offset), pointer } },
  });
  const invalid = invalidUtf8(content);
  if (invalid !== null) return fault("not_utf8", invalid);
  const depth = tooDeepAt(text);
  if (depth !== null) return fault("too_deep", depth);
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [error] = errors;
  if (tree === undefined || error !== undefined) return fault("not_json", error?.offset ?? 0);
  let value: JsonValue;
  try {
    value = parseStrictJson(text, POLICY_BYTES);
  } catch (cause) {
    if (!strictJsonError.is(cause)) throw cause;
    const offset = cause.details ?? 0;
    const path = getLocation(text, offset).path;
    return fault("not_json", offset, path.map((step) => `/${pointerStep(step)}`).join(""));
  }
  if (!isPolicyFile(value)) {
    const [wrong] = Errors(PolicyFile, value);
    const unknown = unknownMember(tree);
    if (unknown !== null) return fault("unknown_member", unknown.offset, pointerOf(unknown));
    if (wrong?.keyword === "required") {
      const [missing] = wrong.params.requiredProperties;
      return fault("missing_member", tree.offset, `/${missing}`);
    }
    const pointer = wrong?.instancePath ?? "";
    return fault("wrong_value", nodeAt(tree, pointer).offset, pointer);
  }
  const policy = withFile(before, value);
  return policy === null
    ? fault("hub_differs", nodeAt(tree, "/hub_address").offset, "/hub_address")
    : { ok: true, policy };
}

/** From 1, as editors count. */
function positionOf(text: string, offset: number) {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** Where the first bytes stand that are no UTF-8, in the text decoded without them; null: nowhere. */
function invalidUtf8(content: Uint8Array): number | null {
  const decoded = (bytes: Uint8Array, stream: boolean): string | null => {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream });
    } catch {
      return null;
    }
  };
  if (decoded(content, false) !== null) return null;
  let [valid, end] = [0, content.length];
  while (valid < end) {
    const middle = Math.ceil((valid + end) / 2);
    if (decoded(content.subarray(0, middle), true) === null) end = middle - 1;
    else valid = middle;
  }
  return decoded(content.subarray(0, valid), true)?.length ?? 0;
}

/** Where one level too many begins. Found without recursion, before anything recurses; null: nowhere. */
function tooDeepAt(text: string): number | null {
  const scanner = createScanner(text);
  let depth = 0;
  for (;;) {
    scanner.scan();
    const token = text[scanner.getTokenOffset()];
    if (scanner.getTokenLength() === 0) return null;
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    if (depth > LIMITS.jsonDepth) return scanner.getTokenOffset();
  }
}

const MEMBERS = Object.keys(PolicyFile.properties);

const unknownMember = (tree: Node): Node | null =>
  (tree.type === "object" ? tree.children : undefined)?.find(
    ({ children }) => !MEMBERS.includes(children?.[0]?.value),
  ) ?? null;

const pointerStep = (name: string | number): string =>
  String(name).replaceAll("~", "~0").replaceAll("/", "~1");
const pointerOf = (property: Node): string => `/${pointerStep(property.children?.[0]?.value)}`;

/** The innermost node on the way that is there. */
function nodeAt(tree: Node, pointer: string): Node {
  let node = tree;
  for (const step of pointer.split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    const next =
      node.type === "array"
        ? node.children?.[Number(name)]
        : node.children?.find(({ children }) => children?.[0]?.value === name)?.children?.[1];
    if (next === undefined) return node;
    node = next;
  }
  return node;
}
