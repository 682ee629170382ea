/**
 * What programs can be told to do by their arguments. Each line: names, how it starts something else,
 * the options before that which take a value, and the arguments that make it run, load, or write
 * something else.
 *
 * Starts: `-` nothing; `command:N` the program after N operands; `script` the file that its first operand
 * names, or a text after the option in parentheses; `package` what its first operand names; `text` what its
 * first operand says; `input` its first operand, with what it reads as arguments; `anything` whatever it is
 * handed. A line that begins with `>` is about subcommands.
 *
 * Arguments: `--name` also abbreviated and with `=value`; `-x` also within joined letters; `-name` with one
 * dash or two; `NAME=` an assignment, `*=` any; `word` the first operand; with `~` whatever begins so; with
 * `^` only before the first operand. A value that stands in the next argument belongs to it: with `!` there is
 * none, with `*` all that follows belongs to it. After a last bar, first operands that are none of these, where
 * any other is.
 *
 * Sources: GTFOBins (https://gtfobins.github.io/), LOLBAS (https://lolbas-project.github.io/), and each
 * program's own manual.
 */
export const PROGRAMS = `
# Wrappers: coreutils, util-linux, procps, findutils
env            | command:0 | -u --unset -C --chdir -a --argv0 | -S --split-string *=
nohup setsid   | command:0 | |
nice           | command:0 | -n --adjustment |
ionice         | command:0 | -c --class -n --classdata -p --pid -P --pgid -u --uid |
chrt           | command:1 | -T --sched-runtime -P --sched-period -D --sched-deadline -p --pid |
taskset numactl cpulimit | command:1 | -p -c -l -i -N -m -C |
timeout gtimeout | command:1 | -k --kill-after -s --signal |
time gtime     | command:0 | -f --format -o --output | -o --output
stdbuf         | command:0 | -i --input -o --output -e --error |
unbuffer rlwrap caffeinate catchsegv fakeroot eatmydata proxychains proxychains4 torsocks tsocks dbus-run-session | command:0 | -f -b -H -t -w |
xargs gxargs   | input     | -a --arg-file -d --delimiter -E -I -L -n --max-args -P --max-procs -s --max-chars --replace --max-lines |
parallel       | anything  | |
flock          | command:1 | -w --wait --timeout -E --conflict-exit-code | -c --command
watch          | command:0 | -n --interval -q --equexit |
script scriptreplay | anything | |
chroot unshare nsenter setarch linux32 linux64 setpriv capsh bwrap firejail proot systemd-run systemd-inhibit run-parts | anything | |
ssh-agent dumb-init tini gosu su-exec setuidgid chpst envdir softlimit | command:0 | |
sudo doas      | command:0 | -u --user -g --group -h --host -p --prompt -C --close-from -r --role -t --type -T -U -D --chdir -R --chroot | -e --edit -i --login -s --shell *=
su runuser pkexec runas gsudo machinectl | anything | |
busybox toybox | command:0 | |
strace ltrace  | command:0 | -e -o -p -s -u -E -a -I -O -S -P -X | -o
perf valgrind heaptrack rr hyperfine | anything | |
gdb lldb cgdb  | anything | |
xvfb-run start-stop-daemon daemonize screen tmux nq at batch crontab entr nodemon watchexec fswatch chokidar onchange concurrently npm-run-all run-s run-p wireit | anything | |
expect tclsh wish zenity dialog | anything | |
cross-env cross-env-shell dotenv dotenvx direnv mise asdf rtx volta fnm nvm | anything | |
command builtin exec eval source . | anything | |

# Shells and interpreters
sh bash dash zsh ksh mksh ash fish csh tcsh rbash elvish nu xonsh | script(-c --command) | -o -O --rcfile --init-file |
powershell pwsh cmd wscript cscript mshta rundll32 regsvr32 msiexec wsl cmdkey forfiles installutil msbuild certutil bitsadmin | anything | |
python python2 python3 pypy pypy3 py | script(-c -m) | -W -X -Q --check-hash-based-pycs | -i
node nodejs electron | script(-e --eval -p --print) | -r --require --import --loader --experimental-loader -C --conditions --env-file --test-reporter | -r --require --import --loader --experimental-loader --env-file --inspect --inspect-brk --test-reporter --experimental-default-type --openssl-config --build-snapshot
tsx ts-node esno jiti swc-node | script(-e --eval -p --print) | -r --require -P --project -C --cwd --import | -r --require --import --compiler -C --cwd
deno           | -! | | -c --config --import-map --lock -r --reload --unsafely-ignore-certificate-errors --cert | check lint fmt doc info types help
bun            | -! | | --preload -r --require --eval -e -p --print -c --config --cwd --env-file | test outdated pm help
perl ruby jruby php lua luajit texlua Rscript R julia guile racket escript elixir swift kotlin kotlinc scala scala-cli groovy jshell clojure clj bb sbcl ecl gforth raku crystal io nim ocaml runghc runhaskell ghci stack octave gnuplot maxima sage ngspice | script(-e -E -r -c --eval --execute) | -I -M -m -L -l -C |
java javaw     | script(-jar) | -cp -classpath --class-path -p --module-path --add-modules -m --module | -javaagent:~ -agentpath:~ -agentlib:~ -XX:OnError -XX:OnOutOfMemoryError -XX:VMOptionsFile -XX:Flags @~
osascript automator open xdg-open gio start explorer gnome-open kde-open | anything | |
awk gawk mawk nawk goawk frawk | text | -F --field-separator -v --assign | -f --file -e --source -i --include -l --load -E --exec -o --pretty-print -d --dump-variables -p --profile -D --debug
sed gsed ssed  | text | -l --line-length | -i! --in-place! -f --file -e --expression -s!
jq gojq jaq    | - | | -L --library-path -f --from-file --run-tests --rawfile --slurpfile
yq             | - | | -i! --inplace! --in-place! -w! -s --split-exp --from-file
ed ex vi vim nvim view vimdiff rvim gvim emacs emacsclient nano pico joe micro helix hx code cursor subl | anything | |
less more most man bat batcat pg info | - | | -o -O --log-file --LOG-FILE -k --lesskey-file --pager -P --preproc -H --html -p
m4 cpp tex latex pdflatex xelatex lualatex luatex latexmk bibtex groff troff gs ghostscript pandoc asciidoctor | anything | |
sqlite3        | anything | |
psql mysql mariadb mongosh mongo redis-cli clickhouse duckdb influx cqlsh ftp sftp telnet nc ncat netcat socat openssl | anything | |

# Files
find gfind     | - | | -exec* -execdir* -ok* -okdir* -delete! -fprint -fprint0 -fprintf -fls -files0-from
fd fdfind      | - | | -x* --exec* -X* --exec-batch* --base-directory --search-path -C
tar gtar bsdtar | - | | --checkpoint-action --to-command -I --use-compress-program --use-compress-prog -F --info-script --new-volume-script --rsh-command --rmt-command -T --files-from -C --directory -P! --absolute-names! -x! --extract! --get! -c! --create! -r! --append! -u! --update! -A! -f --file --delete! --index-file --volno-file --listed-incremental -g --transform --xform --one-top-level --exclude-from --add-file
zip            | - | | -T! --test! -TT --unzip-command -m! --move! -O --output-file -b
unzip          | - | | -d
7z 7za 7zr rar unrar cpio pax ar | anything | |
rsync          | - | | -e --rsh --rsync-path --daemon! --config -M --remote-option --temp-dir -T --partial-dir --backup-dir --log-file --write-batch --only-write-batch --files-from --compare-dest --copy-dest --link-dest
scp            | - | | -S -o -F -J -D
ssh slogin autossh mosh | anything | |
git-shell rsh rlogin | anything | |
sort gsort     | - | | -o --output --compress-program -T --temporary-directory --files0-from
split csplit   | - | | --filter -n -f --prefix
tee            | - | |
uniq           | - | |
dd             | - | | of=
xxd            | - | | -r! -R
tree           | - | | -o --fromfile! --fromtabfile! --info!
file           | - | | -C! --compile! -m --magic-file -f --files-from -S
date           | - | | -s --set -f --file
hostname       | - | | -F --file -b
install cp mv ln rm rmdir mkdir touch chmod chown chgrp shred truncate mkfifo mknod rename unlink | - | |
rg ripgrep     | - | | --pre --pre-glob --hostname-bin -z! --search-zip! --ignore-file -f --file --config
ag ack ugrep ug | - | | --pager --pre --filter --filter-magic-label --output -f --file --ackrc --path-to-ignore -z!
grep egrep fgrep zgrep ggrep | - | | -f --file --exclude-from
wc gwc du      | - | | --files0-from -X --exclude-from
diff sdiff diff3 | - | | --diff-program -o --output -X --exclude-from --from-file --to-file
patch          | - | | -o --output -r --reject-file -i --input -d --directory -B --prefix -e! --ed!
base64 base32 md5sum sha1sum sha256sum sha512sum cksum b2sum shasum | - | | -c! --check!
column cut tr paste fold nl od hexdump strings tac rev head tail cat | - | |

# Network
curl           | - | | -o --output -O! --remote-name! --remote-name-all! --output-dir -K --config -T --upload-file -d --data --data-ascii --data-binary --data-raw --data-urlencode --json -F --form --form-string -E --cert --key --cacert --capath --engine --libcurl --trace --trace-ascii -D --dump-header -c --cookie-jar -b --cookie --netrc-file -n! --netrc! --unix-socket --abstract-unix-socket --proxy -x --preproxy --socks5 --socks4 --doh-url --dns-servers --resolve --connect-to --interface --hsts --alt-svc --etag-save --stderr -u --user --oauth2-bearer --aws-sigv4 -H --header -X --request -k! --insecure! --next!
wget wget2     | - | | -O --output-document -o --output-file -a --append-output -i --input-file -P --directory-prefix --use-askpass --post-data --post-file --body-data --body-file --method --header --config -e --execute --ca-certificate --certificate --private-key --save-cookies --load-cookies -B --base --rejected-log --default-page -x!
http https xh aria2c yt-dlp youtube-dl lftp rclone ngrok cloudflared | anything | |
nmap tcpdump tshark wireshark dig host nslookup busctl dbus-send gdbus | anything | |

# Version control
git            | - | | ^-c ^-C --config-env --exec-path --git-dir --work-tree --namespace --super-prefix --attr-source --output --ext-diff! --upload-pack --receive-pack --exec --open-files-in-pager --extcmd --template --config --separate-git-dir --unsafe-paths! --no-index! ext::~ fd::~ config* | add annotate blame branch cat-file check-attr check-ignore check-ref-format checkout cherry cherry-pick clean commit count-objects describe diff diff-files diff-index diff-tree fetch for-each-ref fsck gc grep help log ls-files ls-remote ls-tree merge merge-base mv name-rev pull push range-diff rebase reflog remote reset restore rev-list rev-parse revert rm shortlog show show-branch show-ref stash status switch symbolic-ref tag version verify-commit verify-tag whatchanged
> git grep     | - | | -O -f
> git rebase   | - | | -x
hg             | - | | --config --cwd -R --repository --pager --debugger! -o --output extdiff serve debugshell -e --ssh --remotecmd
svn svnadmin svnlook svnserve bzr fossil jj sl | anything | |
gh             | - | | -F --body-file --input -w! --web! -e! --editor! | pr issue run release label search status repo workflow ruleset project
glab hub tea   | - | | alias api auth config -F
tig lazygit gitui delta difft | anything | |

# Packages and builds
npm            | -! | | --prefix -C --globalconfig --userconfig --script-shell --node-options --shell --editor --browser --git --viewer --cache --registry -g! --global! --location -c --call | test t tst tes run run-script ls list la ll outdated why explain fund view info show v ping search query root bin help audit
npx bunx pnpx   | package | -p --package -c --call --shell -w --workspace --cache --registry | -c --call -p --package --shell --registry
pnpm           | -! | | -C --dir --prefix --config --script-shell --node-options -g! --global! --global-dir --store-dir --use-node-version --registry | test t run run-script ls list la ll outdated why audit root bin help licenses
yarn yarnpkg   | -! | | --cwd --use-yarnrc --script-shell --global-folder --modules-folder --registry | test list why info outdated audit help versions
lerna nx turbo rush | -! | | exec --cwd --runner generate g add
corepack       | anything | |
make gmake bmake nmake mingw32-make | - | | -f --file --makefile -C --directory -I --include-dir --eval -E -o --old-file -W --what-if --new-file *=
cmake          | - | | -P -E -C -D -G -B -S --build --install --toolchain --open --workflow -S --trace-redirect
ctest          | - | | -S --script --build-and-test --build-generator --overwrite -D -T --test-command --extra-verbose
ninja samu     | - | | -f -C -t
meson          | - | | --native-file --cross-file -C --wrap-mode devenv introspect setup rewrite
bazel bazelisk blaze buck buck2 pants | - | | --bazelrc --script_path --run_under --output_base --output_user_root --host_jvm_args --shell_executable --workspace_status_command --spawn_strategy --action_env run --override_repository --override_module
just task mage invoke inv fab doit nox tox rake thor grunt gulp jake | - | | -f -F --justfile --taskfile -t --rakefile -R --shell --shell-arg -c --command --set -d --dir --working-directory --gulpfile --cwd --gruntfile --base --tasks --libdir -I -r --require -e --execute -E --execute-continue -p --execute-print --override -x --init! --edit! *=
cargo          | - | | --config -Z --manifest-path --target-dir --artifact-dir -C --lockfile-path +~ | build b check c test t bench clippy fmt doc d clean tree metadata fetch search version help locate-project pkgid verify-project
rustc rustdoc  | - | | -C -Z -o --out-dir --sysroot --extern -L -l @~ --test-builder --runtool --runtool-arg
rustup         | - | | run set override toolchain default self target component
go             | -! | | -exec -toolexec -overlay -modfile -o -C -ldflags -gcflags -asmflags -gccgoflags -compiler -pkgdir -vettool -workfile -pgo | build test vet fmt list doc mod version clean help
gofmt goimports | - | | -w! -r -cpuprofile
gcc g++ cc c++ clang clang++ tcc ld as nasm gfortran | -! | | -wrapper -B~ -fplugin~ -Xclang -load -specs -include -imacros -iplugindir --config -T -fuse-ld -Wl,~ -Wa,~ -Wp,~ -Xlinker -Xassembler -Xpreprocessor @~ -ivfsoverlay -fpass-plugin~
gradle gradlew | -! | | -I --init-script -b --build-file -c --settings-file -p --project-dir -g --gradle-user-home --include-build -D~ -P~ --project-cache-dir init wrapper publish
mvn mvnw mvnd  | -! | | -f --file -s --settings -gs -t --toolchains -Dexec~ -Dmaven~ exec:~ antrun:~ groovy:~ deploy deploy:~ archetype:~ wrapper:~ -l --log-file --global-settings
ant sbt mill lein boot | -! | | run runMain console eval repl -f -file -buildfile -lib -logger -listener -inputhandler -D~ -propertyfile --sbt-boot
pip pip3       | - | | --python --prefix --target -t --root --log --cache-dir --index-url -i --extra-index-url -f --find-links | list show freeze check help debug
uvx            | package | --from --with --python -p --index | --from --with --with-requirements --index
pipx           | - | | --python --index-url --pip-args | list help
uv             | - | | --directory --project --config-file --index --default-index -f --find-links | lock tree version help
poetry pdm hatch rye pipenv conda mamba micromamba pixi | - | | -C --directory -P --project -p --prefix --cwd | show check lock list search info version help tree
pytest py.test | - | | -p -c --config-file --rootdir --confcutdir -o --override-ini --basetemp --pdbcls @~
jest vitest mocha ava tap c8 nyc playwright cypress karma | -! | | -c --config --configLoader --globalSetup --globalTeardown --setupFiles --setupFilesAfterEnv --testRunner --runner --resolver --transform --rootDir --root -r --require --import --loader --testEnvironment --execArgv --node-option --exec --preset --shell open codegen install
eslint prettier stylelint tsc biome rollup webpack vite esbuild tsup parcel babel swc next nuxt astro remix ng storybook | -! | | -c --config --configLoader --rulesdir --resolve-plugins-relative-to --plugin --parser --custom-formatter --custom-syntax --require -r --import --env-file --servedir --inject:~ --alias:~
black ruff isort flake8 mypy pylint pyright autopep8 yapf bandit coverage | - | | --config --config-file --settings-file --settings-path --rcfile --init-hook --load-plugins --append-config --python-executable --install-types! run -m
rubocop rspec rails bundle bundler gem irb pry | - | | -r --require -c --config --options -I -C --gemfile --path exec console c runner r dbconsole db generate g new server s install -i --install-dir push plugin config open build -e --eval
dotnet         | - | | run exec script tool new add nuget publish msbuild build-server fsi --logger -l --settings -s --test-adapter-path --diag --collect --property -p --additionalprobingpath --depsfile --runtimeconfig --roll-forward --fx-version -bl -flp
msbuild xcodebuild swiftc swift-build fastlane pod xcrun | anything | |
flutter dart pub mix rebar3 gleam cabal dune opam luarocks cpan cpanm composer artisan | - | | run exec global eval do cmd --eval -e -r --require -C --directory -d --working-dir escript run-script require install publish hex tinker
brew apt apt-get aptitude dpkg yum dnf rpm pacman yay zypper apk snap flatpak port choco scoop winget nix nix-env nix-shell nix-build nix-store nix-instantiate guix | anything | |

# Subcommands that start what their operand names
> npm exec; npm x; npm init; npm create; npm innit; pnpm exec; pnpm dlx; pnpm create; pnpm init; yarn exec; yarn dlx; yarn create; yarn run; yarn node; bun x; bun run; bun exec; bun create; deno run; deno serve; deno test; go run; dotnet exec; dotnet script; cargo install; npm explore; corepack npm | package | -p --package -c --call -w --workspace --config --import-map -C --cwd | -c --call -p --package --config --import-map -r --preload -exec -toolexec
> uv run; uv tool; poetry run; pdm run; hatch run; rye run; pipenv run; conda run; mamba run; micromamba run; pixi run; pipx run; bundle exec; bundler exec; rails runner; mix run; dart run; flutter pub; composer exec; opam exec; cabal exec; dune exec; lerna exec; pnpm node | command:0 | --with --from --python -p -n --name --extra --group -e --env --spec --cwd --package | --with --with-requirements --from --python --spec

# Containers, clouds, systems
docker podman nerdctl buildah skopeo lima limactl colima multipass vagrant lxc incus | anything | |
docker-compose podman-compose kubectl oc helm helmfile kustomize k9s minikube kind k3d skaffold tilt argocd istioctl | anything | |
terraform tofu terragrunt pulumi ansible ansible-playbook packer cdk sam serverless wrangler vercel netlify fly flyctl heroku firebase supabase aws gcloud az doctl | anything | |
systemctl launchctl service schtasks sc reg netsh iptables nft ufw mount umount insmod modprobe sysctl loginctl hostnamectl update-alternatives ldconfig visudo useradd usermod passwd | anything | |
claude codex gemini cursor-agent goose aider opencode amp copilot crush q kiro-cli qwen | anything | |
`;
