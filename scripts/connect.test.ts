import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CONFIG_BYTES_MAX } from "../app/bridge/connected-apps.ts";

const SCRIPT = fileURLToPath(new URL("connect.ts", import.meta.url));
const CONFIG = 'model = "m"\n';

let home: string;
let file: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "consentry-connect-"));
  mkdirSync(join(home, ".codex"));
  file = join(home, ".codex", "config.toml");
  writeFileSync(file, CONFIG);
});
afterEach(() => rmSync(home, { recursive: true }));

function connect(words: readonly string[], input = "") {
  const args = [SCRIPT, ...words, "--data-dir", join(home, "data")];
  const env = { PATH: "", HOME: home, USERPROFILE: home };
  return spawnSync(process.execPath, args, { env, input, encoding: "utf8" });
}

it("lists the apps that are installed", () => {
  expect(connect([]).stdout).toBe(
    `codex\ttools\tnot_connected\t${file}\ncodex\thook\tnot_connected\t${join(home, ".codex", "hooks.json")}\n`,
  );
});

it("shows the change, and makes it when the person agrees", () => {
  const declined = connect(["codex"], "n\n");
  expect(declined.stdout).toContain("+ [mcp_servers.consentry]");
  expect(declined.status).toBe(1);
  expect(readFileSync(file, "utf8")).toBe(CONFIG);

  const agreed = connect(["codex"], "y\n");
  expect(agreed.status).toBe(0);
  expect(readFileSync(file, "utf8")).toContain("[mcp_servers.consentry]");
  expect(connect([]).stdout).toContain("codex\ttools\tconnected");
});

it("gives the file back as it was", () => {
  connect(["codex", "--yes"]);
  expect(connect(["codex", "--undo", "--yes"]).status).toBe(0);
  expect(readFileSync(file, "utf8")).toBe(CONFIG);
});

it("makes the app ask here first, and says what the person must know about that", () => {
  const { status, stdout } = connect(["codex", "--hook", "--yes"]);
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /\nRestart the app\. Its request to connect appears in Consentry when it first asks\.\n.*moved or removed, Codex goes on without asking\.\nCodex skips .* until you trust it there.*\n$/,
  );
  const hooks = JSON.parse(readFileSync(join(home, ".codex", "hooks.json"), "utf8"));
  expect(hooks.hooks.PreToolUse[0].hooks[0].command).toContain("'codex'");
  expect(connect([]).stdout).toContain("codex\thook\tconnected");
});

it("says that an app may not obey the answers", () => {
  mkdirSync(join(home, ".config", "goose"), { recursive: true });
  const { stdout } = connect(["goose", "--hook", "--yes"]);
  expect(stdout).toMatch(/\nGoose 1\.34 asks in Consentry but ignores the answer\..*\n$/);
});

it.each([
  [["codex"], "no answer at all", 1],
  [["zed", "--yes"], "an app that is not installed", 1],
  [["notepad"], "an app that nobody knows", 2],
  [["codex", "--frobnicate"], "an unknown flag", 2],
])("%j, with %s, changes nothing and says so by its exit code", (words, _, status) => {
  const { status: code, stderr } = connect(words);
  expect(code).toBe(status);
  expect(stderr).not.toBe("");
  expect(readFileSync(file, "utf8")).toBe(CONFIG);
});

it("names an app that was not found, and what was looked for", () => {
  rmSync(join(home, ".codex"), { recursive: true });
  const { stderr, status } = connect(["codex"]);
  expect(stderr).toBe(
    `Codex was not found on this computer (looked for ${join(home, ".codex")}, codex on the PATH).\n`,
  );
  expect(status).toBe(1);
});

it("says so where no app was found, and where nothing is to be changed", () => {
  connect(["codex", "--yes"]);
  expect(connect(["codex", "--yes"]).stdout).toBe(`${file}\nThere is nothing to change.\n`);
  rmSync(join(home, ".codex"), { recursive: true });
  rmSync(join(home, "data"), { recursive: true });
  expect(connect([]).stdout).toBe("No app that runs agents was found on this computer.\n");
});

it("forgets an entry that is gone already", () => {
  connect(["codex", "--yes"]);
  rmSync(join(home, ".codex"), { recursive: true });
  expect(connect([]).stdout).toContain("codex\ttools\tremoved");
  expect(connect(["codex", "--undo"])).toMatchObject({
    status: 0,
    stdout: `${file}\nThe entry is gone already. Consentry no longer expects it.\n`,
  });
  expect(connect([]).stdout).toBe("No app that runs agents was found on this computer.\n");
});

it.each([
  ["has an error or a form that Consentry does not change", "half = ["],
  ["cannot be read", new Uint8Array([0xff])],
])("names a settings file that %s, and says what to do", (what, content) => {
  writeFileSync(file, content);
  expect(connect(["codex"])).toMatchObject({
    status: 1,
    stdout: `${file}\n`,
    stderr: expect.stringMatching(`^Its settings file ${what}\\. C(?:orrect|heck) `),
  });
});

it("shows the control characters of a settings file as escapes", () => {
  writeFileSync(file, 'title = "\u202eevil" # \u009b2J\n');
  const { stdout } = connect(["codex"], "n\n");
  expect(stdout).toContain('title = "\\u{202e}evil" # \\u{009b}2J\n');
  expect(stdout).not.toMatch(/[^\n\x20-\x7e]/);
});

it("says how large a settings file is that is too large", () => {
  writeFileSync(file, "#".repeat(CONFIG_BYTES_MAX + 1));
  expect(connect(["codex"])).toMatchObject({
    status: 1,
    stderr:
      "Its settings file has 8,388,609 bytes. Consentry changes files of at most 8,388,608 bytes.\n",
  });
});

it("names what stands where the file of before is to be kept", () => {
  symlinkSync(join(home, "other"), `${file}.before-consentry`);
  const { status, stderr } = connect(["codex", "--yes"]);
  expect([status, stderr]).toEqual([
    1,
    `The file of before cannot be kept: something else is at ${file}.before-consentry. Move it away and try again.\n`,
  ]);
  expect(existsSync(join(home, "other"))).toBe(false);
});

it("says which app has no hooks", () => {
  mkdirSync(join(home, ".codeium", "windsurf"), { recursive: true });
  const { stderr, status } = connect(["windsurf", "--hook", "--yes"]);
  expect(stderr).toBe("Windsurf has no hooks that can be set up here.\n");
  expect(status).toBe(1);
});
