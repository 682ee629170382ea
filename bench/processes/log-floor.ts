// Two rows per call, the second with a stored result, and nothing else (no chain, index or read
// model): `<folder> <way> <bytes of the result>`. `each`: every row in its own durable transaction,
// as SQLite is normally used. `grouped`: the rows of one turn share a transaction, the least that
// any log in SQLite can take.
import { join } from "node:path";
import Database from "better-sqlite3";
import { serveTurns } from "./serve-turns.ts";

const [folder = ".", way, bytes] = process.argv.slice(2);
const db = new Database(join(folder, `log-floor-${way}.db`));
db.pragma("journal_mode = WAL");
db.pragma("synchronous = FULL");
db.exec(`CREATE TABLE log (seq INTEGER PRIMARY KEY, prev_hash TEXT, hash TEXT, kind TEXT,
  timestamp INTEGER, call_id TEXT, agent_id TEXT, tool_name TEXT, scope TEXT, digest TEXT,
  conversation_id TEXT, transport TEXT, decided_by TEXT, status TEXT, duration_ms INTEGER, result BLOB)`);
const insert = db.prepare(`INSERT INTO log VALUES (${Array(16).fill("?").join()})`);
const begin = db.prepare("BEGIN IMMEDIATE");
const commit = db.prepare("COMMIT");
const hash = "a".repeat(64);
const result = Buffer.alloc(Number(bytes), 0x5a);

let waiting: (() => void)[] = [];
let seq = 0;

function write(kind: string, call: string, status: string | null): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(() => {
      seq += 1;
      const about = ["agent-1", "read_file", "filesystem:read", hash, "conversation-1", "bench"];
      const kept = status === null ? null : result;
      insert.run(seq, hash, hash, kind, Date.now(), call, ...about, "window", status, 1, kept);
      done.push(resolve);
    });
    if (way === "each") flush();
    else if (waiting.length === 1) setImmediate(flush);
  });
}

let done: (() => void)[] = [];
function flush(): void {
  const rows = waiting;
  waiting = [];
  begin.run();
  for (const row of rows) row();
  commit.run();
  const resolved = done;
  done = [];
  for (const resolve of resolved) resolve();
}

let calls = 0;
serveTurns(async () => {
  calls += 1;
  const call = `call-${calls}`;
  await write("intent", call, null);
  await write("outcome", call, "ok");
});
