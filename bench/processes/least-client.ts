// The client's end of `least-agent.ts`: `<folder> <file> <encrypted or plain>`.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import Database from "better-sqlite3";
import { WebSocketServer } from "ws";
import { endOf, type Introduced } from "./least-end.ts";

const [folder = ".", file = "", kind = ""] = process.argv.slice(2);
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

const own = endOf(kind, "person-1");
let calls = 0;

/** What arrived in one turn of the event loop shares its two transactions. */
function answerAll(envelopes: readonly Uint8Array[]): readonly Uint8Array[] {
  const first = calls + 1;
  calls += envelopes.length;
  const asked = envelopes.map((envelope) => own.open(envelope).bytes);
  record(own.state(), () => {
    for (const [at, bytes] of asked.entries()) begin.run(first + at, bytes);
  });
  const told = asked.map(() => {
    const content = readFileSync(file, "utf8");
    return own.seal(Buffer.from(JSON.stringify({ status: "ok", content })));
  });
  record(told.findLast(({ state }) => state !== null)?.state ?? null, () => {
    for (const [at, { bytes }] of told.entries()) end.run(bytes, first + at);
  });
  return told.map(({ bytes }) => bytes);
}

const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
server.on("connection", (socket, { socket: line }) => {
  let arrived: Uint8Array[] = [];
  socket.on("message", (data: Buffer) => {
    if (arrived.push(data) > 1) return;
    setImmediate(() => {
      const envelopes = arrived;
      arrived = [];
      line.cork();
      for (const bytes of answerAll(envelopes)) socket.send(bytes);
      line.uncork();
    });
  });
});
await once(server, "listening");
const { port } = server.address() as AddressInfo;
process.once("disconnect", () => process.exit(0));
const met = once(process, "message");
process.send?.({ port, introduced: own.introduced });
const [agent]: Introduced[] = await met;
if (agent !== undefined) own.meet(agent, false);
process.send?.("met");
