import type { FetchUrlResult } from "../../../app/contract/tools/fetch-url.ts";
import { textOf } from "../text-of.ts";

type BodyText = Pick<FetchUrlResult, "body" | "body_encoding">;

/** `charset` of a media type (RFC 9110 §8.3.2): a token or quoted string, case-insensitive. */
const CHARSET = /;[\t ]*charset=(?:"([^"]*)"|([^\t ;"]*))/i;

/** Text if it is valid UTF-8; everything else is base64, because no byte is ever replaced. Pure. */
export function bodyText(bytes: Uint8Array, contentType: string | undefined): BodyText {
  const said = CHARSET.exec(contentType ?? "");
  const charset = (said?.[1] ?? said?.[2] ?? "utf-8").toLowerCase();
  const text = charset === "utf-8" || charset === "utf8" ? textOf(bytes) : null;
  return text === null
    ? { body: Buffer.from(bytes).toString("base64"), body_encoding: "base64" }
    : { body: text, body_encoding: "utf-8" };
}
