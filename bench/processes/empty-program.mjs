// A program of the same kind with nothing in it: `<data folder>`. Two databases, four threads, a page and a
// WebSocket on a free port of this computer, and a line of JSON when it is ready.
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import Database from "better-sqlite3";
import { WebSocketServer } from "ws";

const [dataDir = "."] = process.argv.slice(2);
mkdirSync(dataDir, { recursive: true });

const databases = ["log.db", "hub.db"].map((name) => {
  const db = new Database(join(dataDir, name));
  db.pragma("journal_mode = WAL");
  db.exec("CREATE TABLE IF NOT EXISTS kept (name TEXT PRIMARY KEY, value TEXT)");
  return db;
});

const WAITS = `require("node:worker_threads").parentPort.on("message", () => {})`;
const threads = Array.from({ length: 4 }, () => new Worker(WAITS, { eval: true }));
await Promise.all(threads.map((thread) => new Promise((up) => thread.once("online", up))));

const server = createServer((_request, response) => response.end("<!doctype html>"));
new WebSocketServer({ server, path: "/bridge" });
server.listen(0, "127.0.0.1", () => {
  const ui = `http://127.0.0.1:${server.address().port}/`;
  process.stdout.write(`${JSON.stringify({ event: "ready", ui })}\n`);
});
process.once("SIGTERM", () => {
  for (const db of databases) db.close();
  process.exit(0);
});
