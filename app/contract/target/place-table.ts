/** What makes a place special; the card shows it beside the path. */
export const PLACE_MARKS = [
  "git_hook",
  "git_settings",
  "autostart",
  "shell_profile",
  "secrets",
  "agent_settings",
  "editor_settings",
  "loaded_code",
  "program_folder",
  "ci",
  "short_name",
  "build_script",
] as const;
export type PlaceMark = (typeof PLACE_MARKS)[number];

/**
 * Places by what they do, each with where that is documented. Names are compared as `plainName` returns
 * them: `*` and `?` stand for characters of one name, `**` for any folders; `name` is the last one,
 * `name/` a file or folder with everything below it. A leading `/` is the root.
 */
export const PLACES: Readonly<Record<PlaceMark, string>> = {
  git_hook: `
    # https://git-scm.com/docs/githooks
    .git/**/hooks/ git~*/**/hooks/ *.git/**/hooks/ .githooks/ .git-hooks/ git-hooks/ githooks/
    hooks/pre-applypatch hooks/post-applypatch hooks/applypatch-msg hooks/pre-commit hooks/post-commit
    hooks/pre-receive hooks/post-receive hooks/commit-msg hooks/prepare-commit-msg
    hooks/pre-merge-commit hooks/pre-rebase hooks/pre-push hooks/pre-auto-gc hooks/post-checkout
    hooks/post-merge hooks/post-rewrite hooks/post-update hooks/post-index-change hooks/update
    hooks/proc-receive hooks/push-to-checkout hooks/reference-transaction hooks/sendemail-validate
    hooks/fsmonitor-watchman hooks/p4-changelist hooks/p4-pre-submit
    # https://typicode.github.io/husky/
    .husky/
    # https://pre-commit.com/
    .pre-commit-config.yaml .pre-commit-config.yml
    # https://lefthook.dev/configuration/
    .lefthook/ lefthook.yml lefthook.yaml .lefthook.yml .lefthook.yaml lefthook-local.yml lefthook.toml
    lefthook.json .config/lefthook.yml
    # https://www.mercurial-scm.org/doc/hgrc.5.html
    .hg/ .hgrc hgrc mercurial.ini
  `,
  git_settings: `
    # https://git-scm.com/docs/git-config (hooksPath, fsmonitor, aliases, filters)
    .git/ git~*/ .gitconfig .config/git/ /etc/gitconfig .jj/ .config/jj/
    # https://git-scm.com/docs/gitattributes
    .gitattributes
    # https://git-scm.com/docs/gitmodules
    .gitmodules
  `,
  autostart: `
    # https://specifications.freedesktop.org/autostart-spec/latest/
    autostart/ autostart-scripts/ *.desktop
    # https://www.freedesktop.org/software/systemd/man/latest/systemd.unit.html
    systemd/user/ systemd/system/ environment.d/
    # https://dbus.freedesktop.org/doc/dbus-specification.html#message-bus-starting-services
    dbus-1/services/ dbus-1/system-services/
    # https://attack.mitre.org/techniques/T1543/001/
    launchagents/ launchdaemons/ /library/startupitems/ /system/library/launchdaemons/
    # https://man7.org/linux/man-pages/man5/crontab.5.html
    /etc/cron*/ /etc/anacrontab /var/spool/cron*/ /var/spool/at/ /usr/lib/cron/ /var/at/
    /private/etc/cron*/ /private/var/at/ crontabs/
    # https://attack.mitre.org/techniques/T1037/004/
    /etc/init*/ /etc/rc*/
    # https://attack.mitre.org/techniques/T1547/001/
    start?menu/programs/startup/ windows/system32/tasks/ windows/tasks/ grouppolicy/**/scripts/
    # https://www.x.org/releases/current/doc/man/man1/startx.1.xhtml
    .xprofile .xinitrc .xsession .xsessionrc .pam_environment plasma-workspace/env/
    # https://wiki.archlinux.org/title/Autostarting#On_window_manager_startup
    .config/i3/ .config/sway/ .config/hypr/ .config/awesome/ .config/openbox/ .config/qtile/
    .config/bspwm/ .fvwm/ .xmonad/
  `,
  shell_profile: `
    # https://attack.mitre.org/techniques/T1546/004/
    .bashrc .bashenv .bash_profile .bash_login .bash_logout .bash_aliases .bash_completion .zshrc
    .zshenv .zprofile .zlogin .zlogout .zrc .kshrc .mkshrc .cshrc .tcshrc .profile .login .logout
    .inputrc /etc/profile/ /etc/profile.d/ /etc/bash.bashrc /etc/bashrc /etc/zsh*/ /etc/environment
    /etc/csh*/ .oh-my-zsh/ .zsh/ .bash_it/ .config/zsh/ .config/bash/
    # https://fishshell.com/docs/current/language.html#configuration
    fish/config.fish fish/conf.d/ fish/functions/ fish/completions/
    # https://www.nushell.sh/book/configuration.html
    nushell/config.nu nushell/env.nu nushell/login.nu nushell/autoload/ .config/elvish/ .xonshrc
    .config/xonsh/
    # https://attack.mitre.org/techniques/T1546/013/
    profile.ps1 *_profile.ps1 *.profile.ps1 documents/powershell/ documents/windowspowershell/
    .config/powershell/
    # https://direnv.net/
    .envrc .direnvrc .config/direnv/ .autoenv .autoenv.zsh
    # https://mise.jdx.dev/configuration.html
    mise.toml .mise.toml mise.local.toml .mise.local.toml mise.*.toml .mise/ .config/mise/
    .config/mise.toml .rtx.toml
  `,
  secrets: `
    # https://attack.mitre.org/techniques/T1552/004/
    .ssh/ .gnupg/ id_rsa* id_dsa* id_ecdsa* id_ed25519* *.pem *.key *.p12 *.pfx *.jks *.keystore *.kdbx
    .password-store/ keyrings/ keychains/ /etc/ssh/ /etc/ssl/private/
    # https://attack.mitre.org/techniques/T1552/001/
    .aws/ .azure/ .kube/ .config/gcloud/ .config/gh/ .config/glab-cli/ .docker/config.json .netrc _netrc
    .npmrc .yarnrc.yml .pypirc .pgpass .my.cnf .git-credentials .config/git/credentials
    .cargo/credentials* .gem/credentials .terraform.d/ .terraformrc .vault-token .config/rclone/
    .config/hub .s3cfg .boto /etc/shadow* /etc/sudoers* /etc/pam.d/
    # https://github.com/motdotla/dotenv#should-i-commit-my-env-file
    .env .env.* .env_* .flaskenv .dev.vars .secrets
    # https://attack.mitre.org/techniques/T1555/003/
    .mozilla/ .config/google-chrome*/ .config/chromium/ bravesoftware/ google/chrome/ login?data*
    cookies.sqlite logins.json key4.db
  `,
  agent_settings: `
    # https://code.claude.com/docs/en/settings
    .claude/ .claude.json .claude-plugin/ claude.md claude.local.md .mcp.json mcp.json mcp_config.json
    claude_desktop_config.json managed-settings.json claude/claude_desktop_config*.json
    # https://agents.md/
    agents.md agents.override.md agent.md .agents/ .agent/ .config/agents/ .skills/ skill.md
    # https://developers.openai.com/codex/
    .codex/
    # https://geminicli.com/docs/
    gemini.md .gemini/ .geminiignore .qwen/ qwen.md
    # https://cursor.com/docs/context/rules
    .cursor/ .cursorrules .cursorignore
    # https://docs.github.com/copilot/customizing-copilot
    .github/copilot-instructions.md .github/instructions/ .github/prompts/ .github/chatmodes/
    .github/agents/ .github/skills/ .github/hooks/ *.instructions.md *.prompt.md *.chatmode.md
    *.agent.md .copilot/ .config/github-copilot/ copilot-setup-steps.yml
    # https://docs.windsurf.com/windsurf/cascade/memories
    .windsurf/ .windsurfrules .codeium/ .codeiumignore
    # https://docs.cline.bot/features/cline-rules
    .clinerules/ .clineignore .cline/ .roo/ .roorules*/ .roomodes .rooignore .kilocode/ .kilocoderules/
    .kilocodemodes
    # https://block.github.io/goose/docs/guides/using-goosehints/
    .goosehints .gooseignore .goose/ .config/goose/
    # https://opencode.ai/docs/config/
    opencode.json opencode.jsonc .opencode/ .config/opencode/
    # https://aider.chat/docs/config/aider_conf.html
    .aider.conf.yml .aider.conf.yaml .aiderignore .aider.model.*
    # https://docs.continue.dev/reference
    .continue/ .continuerc.json .continuerules .continueignore
    # https://kiro.dev/docs/steering/
    .kiro/ .amazonq/ .junie/ .aiassistant/ .augment/ .augment-guidelines .trae/ .factory/ .devin/
    .openhands/ .openhands_instructions .crush.json crush.json crush.md .crush/ warp.md .warp/ .rules
    .replit replit.md .pi/ .config/amp/ .config/crush/ .zencoder/ .tabnine/ .sourcegraph/ .cody/ .jules/
    .bito/ .idx/ .firebase/
  `,
  editor_settings: `
    # https://code.visualstudio.com/docs/editor/workspace-trust
    .vscode/ .vscode-*/ *.code-workspace .config/code*/user/ .config/vscodium/ .config/cursor/
    .config/windsurf/ application?support/code*/user/ application?support/cursor/user/
    roaming/code*/user/ roaming/cursor/user/
    # https://containers.dev/implementors/json_reference/
    .devcontainer/ .devcontainer.json devcontainer.json
    # https://www.jetbrains.com/help/idea/project-security.html
    .idea/ .run/ .fleet/ *.iml *.ipr *.iws .config/jetbrains/ application?support/jetbrains/
    roaming/jetbrains/
    # https://zed.dev/docs/configuring-zed
    .zed/ .config/zed/
    # https://vimhelp.org/starting.txt.html
    .vimrc _vimrc .gvimrc _gvimrc .exrc _exrc .nvimrc .nvim.lua .vim/ vimfiles/ .config/nvim/
    local/nvim/ .ideavimrc .lvimrc .local.vimrc .config/vim/
    # https://www.gnu.org/software/emacs/manual/html_node/emacs/Init-File.html
    .emacs .emacs.el .emacs.d/ .config/emacs/ .dir-locals.el .dir-locals-2.el .projectile .spacemacs
    .doom.d/ .config/doom/
    # https://docs.helix-editor.com/configuration.html
    .helix/ .config/helix/ .config/kak/ .nova/ *.sublime-project *.sublime-build *.sublime-settings
    sublime?text*/
  `,
  loaded_code: `
    # https://sourceware.org/gdb/current/onlinedocs/gdb.html/Startup.html
    .gdbinit .gdbearlyinit .lldbinit *-gdb.py *-gdb.gdb *-gdb.scm .config/gdb/
    # https://docs.python.org/3/library/site.html
    sitecustomize.py usercustomize.py *.pth pyvenv.cfg .pythonrc .pythonrc.py .pdbrc .pdbrc.py .ipython/
    .jupyter/
    # https://docs.ruby-lang.org/en/master/IRB.html
    .irbrc _irbrc .pryrc .rubyopt .rprofile .renviron rprofile.site .perldb .sbclrc .guile .ghci
    .ocamlinit .erlang .iex.exs .octaverc .julia/config/
    # https://www.postgresql.org/docs/current/app-psql.html
    .psqlrc* .sqliterc .config/sqlite3/ .mongorc.js .mongoshrc.js .myclirc
    # https://man.openbsd.org/tmux.1
    .tmux.conf .config/tmux/ .tmux/ .screenrc .wezterm.lua .config/wezterm/ .config/kitty/
    .config/alacritty/ .config/ghostty/ .hushlogin .lessfilter .lesskey .mailcap .forward .procmailrc
    .muttrc .config/mutt/ .curlrc _curlrc .wgetrc .rhosts .shosts .hammerspoon/ .config/karabiner/
    # https://man7.org/linux/man-pages/man8/ld.so.8.html
    /etc/ld.so.preload /etc/ld.so.conf /etc/ld.so.conf.d/ /etc/udev/ /etc/modprobe.d/ /etc/apt/
  `,
  program_folder: `
    # https://attack.mitre.org/techniques/T1574/007/ (A program placed here runs in place of the one that is meant)
    .local/bin/ .cargo/bin/ go/bin/ .bun/bin/ .deno/bin/ .npm-global/ .nvm/ .pyenv/ .rbenv/ .asdf/
    .volta/ .sdkman/ /usr/bin/ /usr/sbin/ /usr/local/bin/ /usr/local/sbin/ /bin/ /sbin/
    /opt/homebrew/bin/ windows/system32/
  `,
  ci: `
    # https://docs.github.com/actions/writing-workflows
    .github/workflows/ .github/actions/ .github/dependabot.yml codeowners .gitea/ .forgejo/ action.yml
    action.yaml
    # https://docs.gitlab.com/ci/yaml/
    .gitlab-ci.yml .gitlab-ci.yaml .gitlab-ci/ .gitlab/ci/ *.gitlab-ci.yml
    # https://www.jenkins.io/doc/book/pipeline/jenkinsfile/
    .circleci/ .woodpecker/ .woodpecker.yml .woodpecker.yaml .travis.yml .travis.yaml .drone.yml
    .drone.yaml .cirrus.yml .cirrus.yaml .buildkite/ .semaphore/ .teamcity/ .tekton/ jenkinsfile
    jenkinsfile.* azure-pipelines.yml azure-pipelines.yaml .azure-pipelines/ bitbucket-pipelines.yml
    bitbucket-pipelines.yaml appveyor.yml appveyor.yaml .appveyor.yml cloudbuild.yaml cloudbuild.yml
    codemagic.yaml .builds/ .build.yml
  `,
  // Windows gives a long name a short one as well, which says nothing of the long one.
  short_name: "",
  build_script: `
    # https://docs.npmjs.com/cli/using-npm/scripts
    package.json package.json5 package.yaml package-lock.json npm-shrinkwrap.json yarn.lock
    pnpm-lock.yaml bun.lock bun.lockb pnpm-workspace.yaml .pnpmfile.cjs .pnpmfile.mjs pnpmfile.js
    .yarnrc .yarn/ .pnp.cjs .pnp.loader.mjs node_modules/ bunfig.toml deno.json deno.jsonc deno.lock
    turbo.json nx.json project.json lerna.json rush.json wireit.json
    # https://eslint.org/docs/latest/use/configure/configuration-files (Settings that are programs, such as those of ESLint, Vite, Jest, Babel and Playwright)
    *.config.js *.config.cjs *.config.mjs *.config.ts *.config.cts *.config.mts .*rc.js .*rc.cjs
    .*rc.mjs .*rc.ts .eslintrc* .babelrc* .mocharc* .lintstagedrc* .prettierrc* .stylelintrc* .nycrc*
    .npsrc* .remarkrc* .releaserc* .huskyrc* gulpfile.* gruntfile.* karma.conf.* protractor.conf.*
    wdio.conf.* nightwatch.conf.* webpack.*.js webpack.*.ts vite.*.ts vitest.*.ts vitest.*.js
    jest.setup.* ember-cli-build.js angular.json nodemon.json vitest.setup.* setuptests.*
    # https://www.gnu.org/software/make/manual/make.html
    makefile gnumakefile bsdmakefile makefile.* *.mk *.mak justfile .justfile justfile.* *.just
    taskfile.yml taskfile.yaml taskfile.*.yml taskfile.dist.* magefile.go sconstruct sconscript wscript
    waf configure configure.ac configure.in autogen.sh bootstrap.sh
    # https://docs.pytest.org/en/stable/reference/fixtures.html#conftest-py-sharing-fixtures-across-multiple-files
    conftest.py pytest.ini .pytest.ini tox.ini noxfile.py setup.py setup.cfg pyproject.toml fabfile.py
    dodo.py hatch_build.py pdm_build.py poetry.lock uv.lock uv.toml pdm.lock pipfile pipfile.lock
    requirements*.txt constraints*.txt pip.conf pip.ini .pip/ environment.yml environment.yaml manage.py
    .venv/ venv/ site-packages/ dist-packages/ .coveragerc .pylintrc pylintrc mypy.ini .mypy.ini
    .python-version
    # https://doc.rust-lang.org/cargo/reference/config.html
    build.rs cargo.toml cargo.lock .cargo/ rust-toolchain rust-toolchain.toml
    # https://go.dev/ref/mod#go-mod-file
    go.mod go.sum go.work go.work.sum .golangci.yml .golangci.yaml .goreleaser.yml .goreleaser.yaml
    vendor/modules.txt
    # https://docs.gradle.org/current/userguide/build_file_basics.html
    *.gradle *.gradle.kts gradle.properties gradlew gradlew.bat gradle/ .gradle/ buildsrc/ pom.xml .mvn/
    mvnw mvnw.cmd .m2/ build.xml ivy.xml *.sbt .sbtopts .jvmopts build.sc build.mill deps.edn
    project.clj bb.edn shadow-cljs.edn lombok.config
    # https://ruby.github.io/rake/
    rakefile rakefile.rb *.rake gemfile gemfile.lock gems.rb *.gemspec .rspec .bundle/ spec_helper.rb
    rails_helper.rb guardfile capfile fastfile fastlane/ podfile podfile.lock cartfile brewfile
    vagrantfile dangerfile .rubocop.yml config.ru thorfile
    # https://bazel.build/run/bazelrc
    .bazelrc .bazelversion .bazeliskrc build.bazel build workspace workspace.bazel module.bazel *.bzl
    buck .buckconfig targets .watchmanconfig
    # https://cmake.org/cmake/help/latest/manual/cmake-language.7.html
    cmakelists.txt *.cmake cmakepresets.json cmakeuserpresets.json meson.build meson_options.txt
    meson.options build.ninja premake5.lua xmake.lua build.zig build.zig.zon conanfile.py conanfile.txt
    vcpkg.json
    # https://learn.microsoft.com/visualstudio/msbuild/msbuild
    *.csproj *.fsproj *.vbproj *.vcxproj *.props *.targets directory.build.* directory.packages.props
    nuget.config global.json *.cake build.fsx *.xcodeproj/ *.xcworkspace/ *.xcconfig package.swift
    package.resolved project.pbxproj
    # https://docs.docker.com/reference/dockerfile/
    dockerfile dockerfile.* *.dockerfile containerfile containerfile.* docker-compose*.yml
    docker-compose*.yaml compose.yml compose.yaml compose.*.yml compose.*.yaml docker-bake.*
    skaffold.yaml tiltfile earthfile helmfile.yaml terragrunt.hcl flake.nix shell.nix default.nix
    devenv.nix flake.lock ansible.cfg netlify.toml vercel.json render.yaml fly.toml procfile pulumi.yaml
    serverless.yml serverless.yaml sam.yaml wrangler.toml wrangler.json wrangler.jsonc
    # https://getcomposer.org/doc/articles/scripts.md
    composer.json composer.lock phpunit.xml phpunit.xml.dist .php-cs-fixer.php .php-cs-fixer.dist.php
    rector.php phpstan.neon artisan mix.exs mix.lock rebar.config pubspec.yaml pubspec.lock build.yaml
    stack.yaml *.cabal cabal.project setup.hs dune dune-project *.opam shard.yml elm.json rebar.lock
    makefile.pl build.pl dist.ini cpanfile project.toml manifest.toml *.rockspec
  `,
};
