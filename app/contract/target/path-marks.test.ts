import { describe, expect, it, test } from "vitest";
import { type PathMark, placeMarks, runsByName } from "./path-marks.ts";

const marksOf = (path: string): readonly PathMark[] => {
  const names = path
    .replace(/^[A-Z]:/, "")
    .split(/[\\/]/)
    .slice(1);
  return placeMarks(names, names.length);
};

const MARKED: readonly (readonly [PathMark, readonly string[]])[] = [
  [
    "git_hook",
    [
      "/home/ada/proj/.git/hooks/pre-commit",
      "/home/ada/proj/.git/hooks",
      "/home/ada/proj/.git/modules/lib/hooks/post-checkout",
      "/srv/proj.git/hooks/update",
      "/home/ada/proj/.husky/pre-push",
      "/home/ada/proj/.githooks/anything",
      "/home/ada/proj/tools/hooks/commit-msg",
      "/home/ada/proj/.pre-commit-config.yaml",
      "C:\\Users\\Ada\\proj\\.git\\hooks\\pre-commit",
    ],
  ],
  [
    "git_settings",
    ["/home/ada/proj/.git/config", "/home/ada/.gitconfig", "/home/ada/.config/git/config"],
  ],
  [
    "autostart",
    [
      "/home/ada/.config/autostart/x.desktop",
      "/home/ada/.config/systemd/user/x.service",
      "/home/ada/.config/environment.d/x.conf",
      "/home/ada/.xprofile",
      "/etc/cron.d/x",
      "/var/spool/cron/crontabs/ada",
      "/Users/ada/Library/LaunchAgents/x.plist",
      "C:\\Users\\Ada\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs\\Startup\\x.cmd",
    ],
  ],
  [
    "shell_profile",
    [
      "/home/ada/.bashrc",
      "/home/ada/.profile",
      "/home/ada/.zshrc",
      "/home/ada/.zshenv",
      "/home/ada/.zprofile",
      "/home/ada/.bash_profile",
      "/home/ada/.cshrc",
      "/home/ada/proj/.envrc",
      "/home/ada/.config/fish/config.fish",
      "/home/ada/.config/fish/conf.d/x.fish",
      "/etc/profile.d/x.sh",
      "C:\\Users\\Ada\\Documents\\PowerShell\\Microsoft.PowerShell_profile.ps1",
      "C:\\Users\\Ada\\Documents\\PowerShell\\profile.ps1",
    ],
  ],
  [
    "secrets",
    [
      "/home/ada/.ssh/authorized_keys",
      "/home/ada/.gnupg/pubring.kbx",
      "/home/ada/.aws/credentials",
      "/home/ada/.npmrc",
      "/home/ada/.netrc",
      "/home/ada/.git-credentials",
      "/home/ada/proj/.env",
      "/home/ada/proj/.env.local",
      "/home/ada/backup/id_ed25519",
      "C:\\Users\\Ada\\_netrc",
    ],
  ],
  [
    "ci",
    [
      "/home/ada/proj/.github/workflows/ci.yml",
      "/home/ada/proj/.gitlab-ci.yml",
      "/home/ada/proj/.circleci/config.yml",
      "/home/ada/proj/Jenkinsfile",
    ],
  ],
  ["build_script", ["/home/ada/proj/package.json", "/home/ada/proj/Makefile", "/p/.eslintrc"]],
  ["editor_settings", ["/p/.vscode/tasks.json"]],
  ["agent_settings", ["/p/CLAUDE.md", "/p/.mcp.json"]],
  ["hidden", ["/home/ada/proj/.gitignore", "/home/ada/proj/.cache/x", "/home/ada/.config/x/y"]],
];

describe("a path's place is told by a word", () => {
  it.each(MARKED)("%s", (mark, paths) => {
    for (const path of paths) expect(marksOf(path), path).toEqual([mark]);
  });

  it("however the laxest file system would let it be written", () => {
    for (const path of [
      "/home/ada/proj/.GIT/Hooks/PRE-COMMIT",
      "/home/ada/proj/.g\u200cit/hooks/pre-commit",
      "C:\\proj\\.git.\\hooks\\pre-commit",
      "C:\\proj\\.git\\hooks\\pre-commit ",
      "C:\\proj\\GIT~1\\hooks\\pre-commit",
      "C:\\proj\\.git\\hooks\\pre-commit::$DATA",
      "/home/ada/proj/\uff0egit/hooks/pre-commit",
    ]) {
      expect(marksOf(path), path).toContain("git_hook");
    }
    expect(marksOf("C:\\Users\\Ada\\.SSH\\config")).toEqual(["secrets"]);
  });

  it("and an ordinary file has none", () => {
    for (const path of [
      "/home/ada/proj/src/big.ts",
      "/home/ada/proj/src/hooks/use-more.ts",
      "/home/ada/proj/git/hooks.md",
      "/home/ada/proj/src/profile.ts",
      "/home/ada/proj/env",
      "/home/ada/proj/cron/jobs.ts",
      "C:\\Users\\Ada\\Documents\\notes.md",
    ]) {
      expect(marksOf(path), path).toEqual([]);
    }
  });
});

test("a dot in the name of the folder that was given hides nothing from who gave it", () => {
  const names = ["home", "ada", ".notes", "a.md"];
  expect(placeMarks(names, 1)).toEqual([]);
  expect(placeMarks(names, 0)).toEqual([]);
  expect(placeMarks(names, 2)).toEqual(["hidden"]);
  // Such a place affects every user.
  expect(placeMarks(["home", "ada", ".ssh", "config"], 1)).toEqual(["secrets"]);
});

test("a name that ends as programs do is one", () => {
  for (const name of ["setup.exe", "Setup.EXE", "x.ps1", "run.cmd", "a.desktop", "b.bat. "]) {
    expect(runsByName(name), name).toBe(true);
  }
  for (const name of ["notes.md", "a.js", "exe", "bat.txt"]) {
    expect(runsByName(name), name).toBe(false);
  }
});
