import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import Type, { type Static } from "typebox";
import { guardOf } from "../../../app/contract/checked.ts";
import { type CodedError, errorKind } from "../../../app/contract/coded-error.ts";
import type { UpdateFault } from "../../../app/contract/update-faults.ts";

const FeedSource = Type.Object(
  {
    /** The folder with the lists of versions and the packages. */
    url: Type.String({ pattern: "^(?:https://|http://127\\.0\\.0\\.1:)", maxLength: 2_048 }),
    /** Ed25519, 32 bytes in base64. */
    public_key: Type.String({ pattern: "^[A-Za-z0-9+/]{43}=$" }),
  },
  { additionalProperties: false },
);
/** Where this package's updates come from, and whose signature they carry. */
export type FeedSource = Readonly<Static<typeof FeedSource>>;

const isFeedSource = guardOf(FeedSource);

/** Put into the archive when a release is packaged; null in any other package. */
export function readFeedSource(distDir: URL): FeedSource | null {
  try {
    const text = readFileSync(fileURLToPath(new URL("update-feed.json", distDir)), "utf8");
    const source: unknown = JSON.parse(text);
    return isFeedSource(source) ? source : null;
  } catch {
    return null;
  }
}

export const feedError = errorKind<UpdateFault>("FeedError");
export type FeedError = CodedError<UpdateFault>;
