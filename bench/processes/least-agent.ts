// The least that a silent call must do: `<folder> <file> <bytes> <encrypted or plain>`. The agent seals it, stores
// its keys when it must, the client, in a process of its own, opens it, stores it with its keys, reads the file, seals
// the answer, and stores that. Nothing is checked or decided, there is no hub, and each end knows one other.
import { fork } from "node:child_process";
import { once } from "node:events";
import { constants, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { endOf } from "./least-end.ts";
import { serveTurns } from "./serve-turns.ts";

const [folder = ".", file = "", bytes, kind = ""] = process.argv.slice(2);
const entry = fileURLToPath(new URL("least-client.ts", import.meta.url));
const client = fork(entry, [folder, file, kind], { serialization: "advanced" });
const own = endOf(kind, "agent-1");
const [{ port, introduced }] = await once(client, "message");
own.meet(introduced, true);
const met = once(client, "message");
client.send(own.introduced);
await met;

const socket = new WebSocket(`ws://127.0.0.1:${port}`);
await once(socket, "open");
const { O_CREAT, O_WRONLY, O_DSYNC } = constants;
const keys = openSync(join(folder, "agent.keys"), O_CREAT | O_WRONLY | O_DSYNC);
const request = Buffer.from(JSON.stringify({ tool_name: "read_file", arguments: { path: file } }));

/** Those who wait for an answer. Answers come in the order of the calls. */
const waiting: ((envelope: Uint8Array) => void)[] = [];
socket.on("message", (data: Buffer) => waiting.shift()?.(data));

async function call(): Promise<void> {
  const sealed = own.seal(request);
  if (sealed.state !== null) writeSync(keys, sealed.state, 0, sealed.state.length, 0);
  const answered = new Promise<Uint8Array>((resolve) => waiting.push(resolve));
  socket.send(sealed.bytes);
  const answer = own.open(await answered);
  const { content } = JSON.parse(Buffer.from(answer.bytes).toString());
  if (content.length !== Number(bytes)) throw new Error(`read ${content.length} characters`);
}

serveTurns(call, async () => client.disconnect());
