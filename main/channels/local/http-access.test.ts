import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { httpAccess } from "./http-access.ts";

it("without a socket the program is started, and if it cannot be, the person is told", async () => {
  const folder = mkdtempSync(join(tmpdir(), "consentry-"));
  const heard: string[] = [];
  const access = await httpAccess({
    address: join(folder, "local.sock"),
    token: "t".repeat(43),
    name: "Editor",
    start: async () => void heard.push("started"),
    say: (line) => heard.push(line),
  });
  rmSync(folder, { recursive: true });
  expect(access).toBeNull();
  expect(heard).toEqual(["started", "Consentry is not running."]);
});
