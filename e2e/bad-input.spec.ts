import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { test as commandTest } from "./support/command-fixtures.ts";
import { expect, test } from "./support/fixtures.ts";

async function takenPort(): Promise<{ server: Server; port: number }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { server, port: address.port };
}

commandTest.describe("a start that cannot be", () => {
  commandTest("says which flag it cannot read, and ends with 2", async ({ commands }) => {
    for (const flags of [["--prot", "80"], ["--port", "99999"], ["--lang", "tlh"], ["stray"]]) {
      const command = commands.start(flags);
      expect(await command.exited, flags.join(" ")).toBe(2);
      expect(command.stderrLines).toHaveLength(2);
      expect(command.stderrLines[1]).toContain(flags[0]);
      expect(command.stdout).toBe("");
    }
  });

  commandTest("names a data folder that cannot be used", async ({ commands }) => {
    mkdirSync(commands.folder, { recursive: true });
    const file = join(commands.folder, "a-file");
    writeFileSync(file, "");
    const below = join(file, "data");
    const command = commands.start(["--data-dir", below]);
    expect(await command.exited).toBe(1);
    expect(command.stderrLines.slice(1)).toEqual([
      `Consentry could not start (store_unwritable): The data folder cannot be used: ${below}`,
    ]);
  });

  for (const flag of ["--port", "--hub-port"]) {
    commandTest(`names the port of ${flag} that is taken`, async ({ commands }) => {
      const { server, port } = await takenPort();
      const command = commands.start([flag, String(port)]);
      expect(await command.exited).toBe(1);
      const [line, ...more] = command.stderrLines.slice(1);
      expect(line).toContain("(port_in_use)");
      expect(line).toContain(String(port));
      expect(more).toEqual([]);
      expect(command.stdout).toBe("");
      await new Promise((resolve) => server.close(resolve));
      // Nothing of the failed start is left in the way of the next.
      expect(await commands.start([flag, String(port)]).ready()).toMatchObject({ event: "ready" });
    });
  }

  commandTest("is none over a damaged database: it is set aside", async ({ commands, page }) => {
    const first = commands.start();
    await first.ready();
    await first.end();
    writeFileSync(join(commands.dataDir, "consentry.db"), "not a database ".repeat(2_000));
    const command = commands.start(["--lang", "en"]);
    const { ui } = await command.ready();
    expect(command.stderr).toContain("The database was damaged and has been set aside");
    const moved = readdirSync(commands.dataDir).filter((name) => /^consentry.*damaged/.test(name));
    expect(moved).toHaveLength(1);
    expect(readFileSync(join(commands.dataDir, moved[0] ?? ""), "utf8")).toContain(
      "not a database",
    );
    await page.goto(ui);
    await expect(page.locator('[data-code="database_set_aside"]')).toBeVisible();
  });
});

test("a page that is opened with a used key says that the link has lost it", async ({
  stage,
  page,
}) => {
  const { ui } = stage.program.ready;
  await page.goto(ui);
  await expect(page.getByText("This link no longer works").first()).toBeVisible();
  await expect(page.getByTestId("nav-home")).toHaveCount(0);
  await page.goto(ui.replace(/#token=.*/, "#token=never-given-out"));
  await page.reload();
  await expect(page.getByText("This link no longer works").first()).toBeVisible();
  await expect(stage.program.main.getByTestId("nav-home")).toBeVisible();
});
