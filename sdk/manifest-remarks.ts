import Type from "typebox";
import { guardOf } from "../app/contract/checked.ts";
import { parseStrictJson, StrictJsonError } from "../app/contract/strict-json.ts";

const utf8 = new TextEncoder();

/** What the hub says about one place in a manifest. */
export interface ManifestRemark {
  /** RFC 6901 JSON Pointer into the manifest. */
  readonly pointer: string;
  /** One of the codes in docs/manifest.md; a newer hub may have others. */
  readonly code: string;
  /** An identifier from the manifest, such as a scope's id. */
  readonly detail?: string;
}

const isRemark = guardOf(
  Type.Object({
    pointer: Type.String(),
    code: Type.String(),
    detail: Type.Optional(Type.String()),
  }),
);

/** The remarks in a hub's answer; none if it sent none. */
export const remarksIn = (list: unknown): readonly ManifestRemark[] =>
  Array.isArray(list) ? list.filter(isRemark) : [];

/** Why the hub could not read this manifest at all; empty: it can. */
export function unreadable(manifest: unknown): readonly ManifestRemark[] {
  try {
    const bytes = utf8.encode(JSON.stringify(manifest));
    parseStrictJson(bytes, bytes.length);
    return [];
  } catch (error) {
    const detail = error instanceof StrictJsonError ? { detail: error.code } : {};
    return [{ pointer: "", code: "not_strict_json", ...detail }];
  }
}
