// An agent in its own process: `<folder of the built SDK, or "plain"> <hub> <file> <bytes>`. A file
// larger than one read allows is read in slices.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { manifestOf } from "./manifest-of.ts";
import { serveTurns } from "./serve-turns.ts";

const [build, baseUrl, path, bytes] = process.argv.slice(2);
const Agent =
  build === "plain"
    ? (await import("./plain-ends.ts")).PlainAgent
    : (await import(pathToFileURL(join(build, "sdk/index.js")).href)).HasheeAgent;

const manifest = manifestOf({
  read_file: [
    "filesystem:read",
    "medium",
    {
      type: "object",
      properties: {
        path: { type: "string" },
        offset: { type: "integer" },
        length: { type: "integer" },
      },
      required: ["path"],
      additionalProperties: false,
    },
  ],
});

const { agent, credentials } = await Agent.pair({
  name: "Bench agent",
  manifest,
  baseUrl,
  onCode: (code) => process.send({ event: "code", code }),
  // What the client does is measured, not how the SDK waits.
  callsAtOnce: Number.POSITIVE_INFINITY,
});

const SLICE_BYTES = 524_288;

const slicesOf = (length) =>
  length <= SLICE_BYTES
    ? [{}]
    : Array.from({ length: Math.ceil(length / SLICE_BYTES) }, (_, nth) => ({
        offset: nth * SLICE_BYTES,
        length: SLICE_BYTES,
      }));
const slices = slicesOf(Number(bytes));

const read = async () => {
  let came = 0;
  for (const slice of slices) {
    const args = { path, ...slice };
    const { content } = await agent.callTool(credentials.conversationId, "read_file", args);
    came += content.length;
  }
  if (came !== Number(bytes)) throw new Error(`read ${came} characters`);
};

// The person is asked about this one, and allows the rest with it.
await read();
serveTurns(read);
