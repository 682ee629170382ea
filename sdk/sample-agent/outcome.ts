import {
  type JsonValue,
  ToolCallError,
  ToolDeniedError,
  ToolFailedError,
  type ToolResponseFields,
} from "../index.ts";

/** The outcome of one call. `trouble`: the person's client sent no coded answer. */
export type Outcome =
  | { readonly status: "ok"; readonly preview: string }
  | { readonly status: "denied"; readonly reason: string }
  | { readonly status: "error"; readonly reason: string; readonly error_code: string }
  | { readonly status: "trouble"; readonly reason: string };

/** Never rejects because of how a call ends. */
export async function outcomeOf(result: Promise<JsonValue>): Promise<Outcome> {
  try {
    return { status: "ok", preview: preview(await result) };
  } catch (error) {
    if (error instanceof ToolDeniedError) return { status: "denied", reason: error.reason };
    if (error instanceof ToolFailedError) {
      return { status: "error", reason: error.reason, error_code: error.code };
    }
    if (error instanceof ToolCallError) return { status: "trouble", reason: error.code };
    throw error;
  }
}

export function outcomeOfResponse(response: ToolResponseFields): Outcome {
  const { status, result = null, reason = "", error_code = "" } = response;
  if (status === "ok") return { status, preview: preview(result) };
  return status === "denied" ? { status, reason } : { status, reason, error_code };
}

const PREVIEW_CHARS = 60;
/** Control, format and separator characters could move the terminal's cursor or hide text. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** The start of a result on one line, safe to print. */
function preview(result: JsonValue): string {
  const text = JSON.stringify(result).replace(
    UNPRINTABLE,
    (mark) => `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return text.length <= PREVIEW_CHARS ? text : `${text.slice(0, PREVIEW_CHARS)}…`;
}
