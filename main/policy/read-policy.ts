import { type Node, type ParseError, parseTree } from "jsonc-parser";
import { Errors } from "typebox/value";
import type { PolicyFault } from "../../app/bridge/policy-views.ts";
import { guardOf } from "../../app/contract/checked.ts";
import { type Policy, PolicyFile, withFile } from "../../app/policy/policy-file.ts";

const isPolicyFile = guardOf(PolicyFile);

export type PolicyReading =
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
