import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Node, type ParseError, parseTree } from "jsonc-parser";
import { Errors } from "typebox/value";
import type { PolicyFault, PolicyView } from "../../app/bridge/views.ts";
import { CATALOGUE } from "../../app/contract/catalogue.ts";
import { guardOf } from "../../app/contract/checked.ts";
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
    const found = textOf(file, isSystem);
    if (found === null) continue;
    const read =
      typeof found === "string"
        ? readPolicy(policy, file, found)
        : { ok: false as const, ...found };
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
function textOf(file: string, isSystem: boolean): string | null | { readonly fault: PolicyFault } {
  const fault = (code: PolicyFault["code"]) => ({ fault: { file, code, place: null } });
  try {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return isSystem ? null : fault("unreadable");
    if (!stat.isFile()) return fault("unreadable");
    if (stat.size > POLICY_BYTES) return fault("too_large");
    if (isSystem && !(isProtected(file) && isProtected(dirname(file)))) {
      return fault("not_protected");
    }
    return readFileSync(file, "utf8");
  } catch {
    return fault("unreadable");
  }
}

/** Throws if that cannot be found out. */
function isProtected(path: string): boolean {
  if (process.platform !== "win32") return isProtectedByMode(lstatSync(path));
  const script = "(Get-Acl -LiteralPath $env:CONSENTRY_POLICY).Sddl";
  const env = { SystemRoot: "C:\\Windows", CONSENTRY_POLICY: path };
  const args = ["-NoProfile", "-NonInteractive", "-Command", script];
  return isProtectedOnWindows(
    execFileSync(POWERSHELL, args, { encoding: "utf8", env, timeout: 20_000 }).trim(),
  );
}

const isPolicyFile = guardOf(PolicyFile);

type PolicyReading =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly fault: PolicyFault };

/**
 * Adds a file's text to what applies already.
 * @param file its path, for the fault
 * @param content may begin with a byte order mark, as some editors write
 */
export function readPolicy(before: Policy, file: string, content: string): PolicyReading {
  const text = content.replace(/^\uFEFF/, "");
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const fault = (
    code: PolicyFault["code"],
    offset: number | null,
    pointer = "",
  ): PolicyReading => ({
    ok: false,
    fault: { file, code, place: offset === null ? null : { ...positionOf(text, offset), pointer } },
  });
  const [error] = errors;
  if (tree === undefined || error !== undefined) return fault("not_json", error?.offset ?? 0);
  const twice = repeatedMember(tree);
  if (twice !== null) return fault("not_json", twice.offset, pointerOf(twice));
  const value: unknown = JSON.parse(text);
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

/** JSON.parse would silently take the last of two members with the same name. */
function repeatedMember(node: Node): Node | null {
  const seen = new Set<unknown>();
  for (const child of node.children ?? []) {
    const name = node.type === "object" ? child.children?.[0]?.value : undefined;
    if (name !== undefined && seen.has(name)) return child;
    seen.add(name);
    const below = repeatedMember(child);
    if (below !== null) return below;
  }
  return null;
}

const MEMBERS = Object.keys(PolicyFile.properties);

const unknownMember = (tree: Node): Node | null =>
  (tree.type === "object" ? tree.children : undefined)?.find(
    ({ children }) => !MEMBERS.includes(children?.[0]?.value),
  ) ?? null;

const pointerOf = (property: Node): string => `/${property.children?.[0]?.value}`;

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
