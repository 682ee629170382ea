import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import type { RandomNumbers } from "../../../tests/seeding/random-numbers.ts";

const PAGE_BYTES = 4_096;
const HEADER_BYTES = 100;

/**
 * Ways in which a database file and its companions get damaged. Each takes the path of the
 * database.
 */
export const DAMAGES: Readonly<Record<string, (file: string, random: RandomNumbers) => void>> = {
  "a bit of the header": (file, random) => flipBit(file, random, 0, HEADER_BYTES - 1),
  "a bit of the schema's page": (file, random) => flipBit(file, random, HEADER_BYTES, PAGE_BYTES),
  "a bit anywhere": (file, random) => flipBit(file, random, 0, Number.MAX_SAFE_INTEGER),
  "a page of zeros": (file, random) => fillPage(file, random, () => 0),
  "a page of junk": (file, random) => fillPage(file, random, () => random.between(0, 255)),
  "the end cut off": (file, random) =>
    truncateSync(file, random.between(1, readFileSync(file).length - 1)),
  "nothing left": (file) => truncateSync(file, 0),
  "a bit of the write-ahead log": (file, random) =>
    flipBit(`${file}-wal`, random, 0, Number.MAX_SAFE_INTEGER),
  "the end of the write-ahead log cut off": (file, random) => {
    const size = existsSync(`${file}-wal`) ? readFileSync(`${file}-wal`).length : 0;
    if (size > 0) truncateSync(`${file}-wal`, random.between(0, size - 1));
  },
  "the write-ahead log gone": (file) => rmSync(`${file}-wal`, { force: true }),
  "the shared memory gone": (file) => rmSync(`${file}-shm`, { force: true }),
  "junk for shared memory": (file, random) => {
    const junk = Buffer.alloc(8 * PAGE_BYTES, random.between(1, 255));
    if (existsSync(`${file}-shm`)) writeFileSync(`${file}-shm`, junk);
  },
};

function flipBit(file: string, random: RandomNumbers, least: number, most: number): void {
  if (!existsSync(file)) return;
  const bytes = readFileSync(file);
  if (bytes.length === 0) return;
  const at = random.between(least, Math.min(most, bytes.length - 1));
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.between(0, 7));
  writeFileSync(file, bytes);
}

function fillPage(file: string, random: RandomNumbers, byte: () => number): void {
  const bytes = readFileSync(file);
  const from = PAGE_BYTES * random.between(0, bytes.length / PAGE_BYTES - 1);
  for (let at = from; at < from + PAGE_BYTES; at += 1) bytes[at] = byte();
  writeFileSync(file, bytes);
}
