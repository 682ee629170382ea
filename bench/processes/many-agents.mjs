// Agents that are paired one after the other and stay connected: `<folder of the built SDK> <hub> <count>`.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { manifestOf } from "./manifest-of.ts";

const [build, baseUrl, count] = process.argv.slice(2);
const { HasheeAgent } = await import(pathToFileURL(join(build, "sdk/index.js")).href);

const manifest = manifestOf({ send_notification: ["notification:send", "low"] });

for (let at = 0; at < Number(count); at += 1) {
  const onCode = (code) => process.send({ event: "code", code });
  await HasheeAgent.pair({ name: `Bench agent ${at}`, manifest, baseUrl, onCode });
}
process.once("disconnect", () => process.exit());
process.send({ event: "ready" });
