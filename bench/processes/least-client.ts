// The client's end of `least-agent.ts`: `<folder> <file>`.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import Database from "better-sqlite3";
import { WebSocketServer } from "ws";
import { type Introduced, leastEnd } from "./least-end.ts";

const [folder = ".", file = ""] = process.argv.slice(2);
const db = new Database(join(folder, "least.db"));
db.pragma("journal_mode = WAL");
db.pragma("synchronous = FULL");
db.exec(`CREATE TABLE calls (call INTEGER PRIMARY KEY, intent BLOB, outcome BLOB);
  CREATE TABLE keys (owner TEXT PRIMARY KEY, state BLOB) WITHOUT ROWID;`);
const begin = db.prepare("INSERT INTO calls (call, intent) VALUES (?, ?)");
const end = db.prepare("UPDATE calls SET outcome = ? WHERE call = ?");
const keep = db.prepare("INSERT OR REPLACE INTO keys VALUES ('agent', ?)");
const record = db.transaction((state: Uint8Array | null, write: () => void) => {
  if (state !== null) keep.run(state);
  write();
});

const own = await leastEnd("person-1");
let call = 0;

async function answer(envelope: Uint8Array): Promise<Uint8Array> {
  call += 1;
  const asked = await own.open(envelope);
  record(asked.state, () => begin.run(call, asked.bytes));
  const content = readFileSync(file, "utf8");
  const told = await own.seal(Buffer.from(JSON.stringify({ status: "ok", content })));
  record(told.state, () => end.run(told.bytes, call));
  return told.bytes;
}

const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
server.on("connection", (socket) => {
  socket.on("message", (data) => {
    void answer(new Uint8Array(data as Buffer)).then((bytes) => socket.send(bytes));
  });
});
await once(server, "listening");
const { port } = server.address() as AddressInfo;
process.once("disconnect", () => process.exit(0));
const met = once(process, "message");
process.send?.({ port, introduced: own.introduced });
const [agent]: Introduced[] = await met;
if (agent !== undefined) await own.meet(agent, false);
process.send?.("met");
