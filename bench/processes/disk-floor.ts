// The disk alone: 4 KiB appended and synced, the minimum for any durable record: `<folder>`.
import { fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { serveTurns } from "./serve-turns.ts";

const file = openSync(join(process.argv[2] ?? ".", "floor"), "a");
const page = Buffer.alloc(4_096, 7);

serveTurns(async () => {
  writeSync(file, page);
  fdatasyncSync(file);
});
