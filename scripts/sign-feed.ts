import { readFlags } from "../runtime/read-flags.ts";
import { signLists } from "./packaging/feed-signature.ts";

/**
 * Signs the lists of versions in a folder that is about to be published, with the key in
 * CONSENTRY_FEED_KEY. `--percent`: which share of installations gets the version for now.
 */
const USAGE = "Usage: npm run sign-feed -- [FOLDER] [--percent N]";
const { values, positionals } = readFlags(USAGE, {
  allowPositionals: true,
  options: { percent: { type: "string" } },
});
const [folder = "release"] = positionals;
const key = process.env.CONSENTRY_FEED_KEY;
if (key === undefined) {
  console.error("CONSENTRY_FEED_KEY holds no key to sign with.");
  process.exit(1);
}
try {
  const percent = values.percent === undefined ? null : Number(values.percent);
  console.log(`Signed ${signLists(folder, key, percent).join(", ")}.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
