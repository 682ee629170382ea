import { parseArgs } from "node:util";
import { runConform } from "./run-conform.ts";

/** `npm run hub:conform -- URL --owner-token-file FILE`: whether a hub keeps to the protocol. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "owner-token-file": { type: "string" } },
});
const [url] = positionals;
if (url === undefined || !URL.canParse(url)) {
  console.error("npm run hub:conform -- URL [--owner-token-file FILE]");
  process.exitCode = 2;
} else {
  const isFine = await runConform(url, values["owner-token-file"], (line) => console.log(line));
  process.exitCode = isFine ? 0 : 1;
}
