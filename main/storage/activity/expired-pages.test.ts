import { expect, it } from "vitest";
import { openToRead } from "../../../runtime/sqlite/open-database.ts";
import { seedLog } from "../../../tests/seeding/seed-log.ts";
import { NOW, ScratchStore } from "../testing/scratch-store.ts";
import { ExpiredPages } from "./expired-pages.ts";

it("reads as many of the oldest records as it is asked for, and not more than there are", async () => {
  using scratch = new ScratchStore();
  seedLog({ dataDir: scratch.dataDir, count: 170, now: NOW, seed: 3 });
  const db = openToRead(scratch.file);
  const pages = new ExpiredPages(db);
  expect([await pages.read(120), await pages.read(1_000)]).toEqual([120, 170]);
  db.close();
});
