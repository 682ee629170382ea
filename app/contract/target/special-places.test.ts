import { describe, expect, it } from "vitest";
import { namesIn, plainPath } from "../folder-path.ts";
import { PLACE_MARKS } from "./place-table.ts";
import { careFor, placesOf } from "./special-places.ts";

const changing = (path: string) => careFor(plainPath(path), "change");
const reading = (path: string) => careFor(plainPath(path), "read");

/** What runs or grants by itself: changing it is asked about each time. */
const EACH_TIME = `
/p/.git/hooks/pre-commit /p/.git/hooks /p/.git /p/.git/config /p/.git/rebase-merge/git-rebase-todo
/p/.git/info/attributes /p/.git/modules/lib/hooks/post-checkout /srv/p.git/hooks/update /p/.husky/pre-push
/p/.githooks/x /p/tools/hooks/commit-msg /p/.pre-commit-config.yaml /p/lefthook.yml /p/.hg/hgrc
/p/.gitattributes /p/.gitmodules /h/.gitconfig /h/.config/git/config /p/.jj/repo/config.toml
/h/.bashrc /h/.zshenv /h/.profile /h/.config/fish/conf.d/x.fish /etc/profile.d/x.sh /p/.envrc /p/mise.toml
/h/.config/powershell/profile.ps1 /h/.config/nushell/config.nu
/h/.config/autostart/x.desktop /h/Desktop/x.desktop /h/.config/systemd/user/x.service /etc/cron.d/x
/var/spool/cron/crontabs/me /usr/lib/cron/tabs/me /Users/me/Library/LaunchAgents/x.plist /h/.xprofile
/h/.local/share/dbus-1/services/x.service /h/.local/bin/git /h/.cargo/bin/cargo
/h/.ssh/authorized_keys /h/.ssh /h/.gnupg/gpg.conf /h/.aws/credentials /h/.npmrc /h/.netrc /p/.env /p/.env.local
/p/keys/id_ed25519 /p/server.key /h/.config/gh/hosts.yml /h/.docker/config.json /h/.kube/config
/p/.mcp.json /p/CLAUDE.md /p/sub/CLAUDE.md /p/CLAUDE.local.md /p/AGENTS.md /p/AGENTS.override.md /p/GEMINI.md
/p/.claude/settings.json /p/.claude/skills/x/run.sh /p/.claude/commands/x.md /h/.claude.json /p/.agents/skills/x/SKILL.md
/p/.codex/config.toml /p/.gemini/settings.json /p/.cursor/mcp.json /p/.cursor/rules/x.mdc /p/.cursorrules
/p/.github/copilot-instructions.md /p/.github/instructions/x.instructions.md /p/.github/prompts/x.prompt.md
/p/.windsurfrules /p/.windsurf/rules/x.md /p/.clinerules /p/.clinerules/x.md /p/.roo/rules/x.md /p/.goosehints
/h/.config/goose/config.yaml /p/opencode.json /p/.opencode/agent/x.md /p/.aider.conf.yml /p/.continue/config.yaml
/p/.kiro/steering/x.md /p/.amazonq/rules/x.md /p/.junie/guidelines.md
/p/.vscode/tasks.json /p/.vscode/settings.json /p/p.code-workspace /p/.devcontainer/devcontainer.json
/p/.devcontainer.json /p/.idea/workspace.xml /p/.run/x.run.xml /p/.zed/tasks.json /p/.vimrc /p/.exrc /p/.nvim.lua
/h/.config/nvim/init.lua /p/.dir-locals.el /h/.emacs.d/init.el
/p/.gdbinit /p/.lldbinit /p/sitecustomize.py /p/lib/usercustomize.py /p/x.pth /p/.irbrc /h/.psqlrc /h/.tmux.conf
/h/.curlrc /etc/ld.so.preload
/p/.github/workflows/ci.yml /p/.github/actions/x/action.yml /p/.gitlab-ci.yml /p/.circleci/config.yml /p/Jenkinsfile
/p/.github/CODEOWNERS
`;

/** What runs at the next build or test: only a rule that names it covers it. */
const BY_NAME = `
/p/package.json /p/packages/a/package.json /p/package-lock.json /p/pnpm-workspace.yaml /p/.pnpmfile.cjs
/p/.yarn/releases/yarn-4.cjs /p/node_modules/x/index.js /p/bunfig.toml /p/deno.json /p/turbo.json
/p/eslint.config.js /p/vite.config.ts /p/vitest.config.mts /p/playwright.config.ts /p/.eslintrc.cjs /p/.babelrc
/p/.prettierrc /p/gulpfile.js /p/jest.setup.ts /p/Makefile /p/GNUmakefile /p/build/rules.mk /p/justfile /p/Taskfile.yml
/p/conftest.py /p/tests/conftest.py /p/pytest.ini /p/tox.ini /p/noxfile.py /p/setup.py /p/setup.cfg /p/pyproject.toml
/p/requirements-dev.txt /p/.venv/lib/python3.13/site-packages/x.py /p/build.rs /p/Cargo.toml /p/.cargo/config.toml
/p/rust-toolchain.toml /p/go.mod /p/build.gradle /p/build.gradle.kts /p/gradlew /p/gradle/wrapper/gradle-wrapper.properties
/p/pom.xml /p/.mvn/extensions.xml /p/Rakefile /p/Gemfile /p/x.gemspec /p/.rspec /p/Podfile /p/.bazelrc /p/BUILD.bazel
/p/rules/x.bzl /p/CMakeLists.txt /p/cmake/x.cmake /p/meson.build /p/Dockerfile /p/Dockerfile.dev /p/docker-compose.yml
/p/compose.yaml /p/flake.nix /p/composer.json /p/mix.exs /p/app.csproj /p/Directory.Build.props /p/Package.swift
`;

const USUAL = `
/p/src/big.ts /p/src/hooks/use-more.ts /p/git/hooks.md /p/src/profile.ts /p/env /p/cron/jobs.ts /p/docs/claude.txt
/p/src/package.ts /p/.env.example /p/keys/id_ed25519.pub /p/.gitignore /p/.editorconfig /p/README.md
/p/src/agents/index.ts /p/cursor/x.ts /p/code/user/x.ts /p/tsconfig.json /p/.cache/x /usr/src/app/src/index.ts
/p/.github/ISSUE_TEMPLATE/bug.md /p/environment/a.ts /p/autostarter/x /p/projects/x.ts
`;

const listed = (text: string) => text.trim().split(/\s+/);

describe("special places", () => {
  it.each(listed(EACH_TIME))("%s is asked about each time it is changed", (path) => {
    expect(changing(path)).toBe("each_time");
  });

  it.each(listed(BY_NAME))("%s is changed unasked only by its name", (path) => {
    expect(changing(path)).toBe("by_name");
  });

  it.each(listed(USUAL))("%s is like any other file", (path) => {
    expect([changing(path), reading(path)]).toEqual(["usual", "usual"]);
  });

  it("are read like any other file, but for keys and passwords", () => {
    for (const path of listed(EACH_TIME + BY_NAME)) {
      const holds = placesOf(namesIn(path)).includes("secrets");
      expect(reading(path), path).toBe(holds ? "each_time" : "usual");
    }
    expect(reading("/h/.ssh/id_rsa")).toBe("each_time");
  });

  it.each([
    "/p/.GIT/Hooks/PRE-COMMIT",
    "/p/claude.MD",
    "/p/.mcp.json.",
    "/p/.mcp.json ",
    "C:\\p\\.vscode.\\tasks.json",
    "C:\\p\\CLAUDE.md::$DATA",
    "/p/.g\u200cit/config",
    "/p/\uff0emcp.json",
    "/p/.v\u017fcode/tasks.json",
    "/p/.v\u0131mrc",
    "C:\\p\\GIT~1\\hooks\\pre-commit",
    "C:\\p\\MCP~1.JSO",
    "C:\\p\\CLAUDE~1.MD",
    "C:\\Users\\me\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs\\Startup\\x.cmd",
    "C:\\Users\\me\\AppData\\Roaming\\Code\\User\\settings.json",
    "C:\\Users\\me\\Documents\\PowerShell\\Microsoft.PowerShell_profile.ps1",
    "C:\\Windows\\System32\\Tasks\\x",
    "/Users/me/Library/Application Support/Cursor/User/settings.json",
  ])("%j is one, in whatever way a file system lets it be written", (path) => {
    expect(changing(path)).toBe("each_time");
  });

  it("are also a folder that is made, or a name that something is moved to", () => {
    for (const path of ["/p/.git", "/p/.vscode", "/p/.claude", "/p/node_modules"]) {
      expect(changing(path), path).not.toBe("usual");
    }
  });

  it("count as each time where the path cannot be told", () => {
    expect([careFor(null, "read"), careFor("a/../b", "change")]).toEqual([
      "each_time",
      "each_time",
    ]);
  });

  it("have marks that all occur", () => {
    const found = listed(EACH_TIME + BY_NAME).flatMap((path) => placesOf(namesIn(path)));
    const short = placesOf(["mcp~1.jso"]);
    expect(new Set([...found, ...short])).toEqual(new Set(PLACE_MARKS));
  });
});
