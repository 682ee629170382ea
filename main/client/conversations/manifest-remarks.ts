import type { ManifestRemarkView } from "../../../app/bridge/manifest-views.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import type { ManifestProblem, ManifestWarning } from "../../../app/contract/manifest-remarks.ts";
import { parseStrictJson, StrictJsonError } from "../../../app/contract/strict-json.ts";
import { syntaxPosition } from "../../../app/contract/syntax-position.ts";
import { locatePointers, placeOf } from "./locate-pointers.ts";

/** Adds each remark's place in the text, where it is known. */
export function remarksIn(
  text: string,
): (remark: ManifestProblem | ManifestWarning) => ManifestRemarkView {
  const fault = faultIn(text);
  const locate = fault === null ? locatePointers(text) : null;
  return ({ pointer, code, detail = null }) => {
    const offset = fault?.position ?? null;
    const place = locate?.(pointer) ?? (offset === null ? null : placeOf(text, offset));
    return { pointer, code, detail, line: place?.line ?? null, column: place?.column ?? null };
  };
}

/** Null: the text is strict JSON. */
function faultIn(text: string): { readonly position: number | null } | null {
  try {
    parseStrictJson(text, LIMITS.manifestBytes);
    return null;
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return { position: error.code === "syntax" ? syntaxPosition(text) : error.position };
  }
}
