import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Stage, test } from "../support/fixtures.ts";
import { bePatient, PATIENT } from "../support/patience.ts";
import { shoot } from "./shoot.ts";

const LONG = `${"A very long sentence that goes on. ".repeat(60)}\u202egpj.exe\u0007 end`;

interface Scene {
  readonly name: string;
  readonly tool: string;
  readonly args: (folder: string) => object;
}

const LINES = Array.from({ length: 200 }, (_, at) => `const value${at} = ${at};`);

const SCENES: readonly Scene[] = [
  { name: "read", tool: "read_file", args: (folder) => ({ path: join(folder, "notes.md") }) },
  {
    name: "edit",
    tool: "edit_file",
    args: (folder) => ({
      path: join(folder, "notes.md"),
      edits: [{ old_text: "milk", new_text: "oat milk" }],
    }),
  },
  {
    name: "edit-large",
    tool: "edit_file",
    args: (folder) => ({
      path: join(folder, "big.ts"),
      edits: LINES.map((line) => ({ old_text: `${line}\n`, new_text: `let ${line}\n` })),
    }),
  },
  {
    name: "hook",
    tool: "write_file",
    args: (folder) => ({
      path: join(folder, ".git", "hooks", "pre-commit"),
      content: `#!/bin/sh\n${"echo checked\n".repeat(81)}`,
      if_exists: "replace",
    }),
  },
  {
    name: "move",
    tool: "move_file",
    args: (folder) => ({ from: join(folder, "notes.md"), to: join(folder, ".profile") }),
  },
  {
    name: "delete",
    tool: "delete_file",
    args: (folder) => ({ path: join(folder, ".git") }),
  },
  {
    name: "command",
    tool: "run_command",
    args: (directory) => ({ argv: ["git", "log", "--oneline", "-n", "5"], directory }),
  },
  {
    name: "command-long",
    tool: "run_command",
    args: (directory) => ({
      argv: ["git", "commit", "-m", "A line\nand another", "--", ...LINES.slice(0, 20)],
      directory,
    }),
  },
  { name: "fetch-private", tool: "fetch_url", args: () => ({ url: "http://192.168.1.1/admin" }) },
  { name: "hostile", tool: "write_clipboard", args: () => ({ text: LONG }) },
];

/** These two show how a folder is given, first to read, then to change; what follows lies in it. */
const GIVING = ["read", "edit"];

async function answered(stage: Stage, name: string): Promise<void> {
  await stage.press(GIVING.includes(name) ? "consent-allow-once" : "consent-deny");
  await stage.noCard();
}

test("consent cards", async ({ stage, interfaceLanguage }) => {
  const { cards } = stage.program;
  const folder = stage.folderWith({
    "notes.md": "Buy milk.\nCall Ada.\n",
    "big.ts": `${LINES.join("\n")}\n`,
  });
  mkdirSync(join(folder, ".git", "hooks"), { recursive: true });
  const { agent } = await stage.connectedAgent();
  await bePatient(stage);
  for (const { name, tool, args } of SCENES) {
    const call = agent.call(tool, args(folder), PATIENT);
    await stage.card();
    await shoot(cards, interfaceLanguage, `consent-${name}`);
    await answered(stage, name);
    await call;
  }
});

test("several consent cards", async ({ stage, interfaceLanguage }) => {
  const { cards } = stage.program;
  const { agent } = await stage.connectedAgent();
  for (const text of ["one", "two", "three"]) void agent.call("write_clipboard", { text });
  await cards.getByTestId("consent-card").nth(2).waitFor();
  await shoot(cards, interfaceLanguage, "consent-three");
});
