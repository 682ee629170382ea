/**
 * Programs that only read, as long as they are told nothing of the table of arguments. Each line: names or
 * subcommands, how many of the first operands are texts and no paths (`all`: none is a path), how many operands
 * there may be (`*`: any), and arguments with which the program reads or does more than the paths say.
 *
 * Sources: POSIX.1-2024, the manuals of GNU coreutils 9.9, findutils, grep, ripgrep 15, fd, jq and git 2.52.
 */
export const READING = `
cat tac head tail nl wc od hexdump strings rev cut paste fold column comm join cmp diff stat file du df
  | 0 | * | -L --dereference -D --dereference-args
ls               | 0 | * | -L --dereference -H --dereference-command-line
tree             | 0 | * | -l
readlink realpath md5sum sha1sum sha256sum sha512sum b2sum cksum shasum | 0 | * |
sort             | 0 | * |
uniq             | 0 | 1 |
find             | 0 | * | -L -H -follow
fd fdfind        | 1 | * | -L --follow
rg ripgrep       | 1 | * | -L --follow
grep egrep fgrep | 1 | * | -R --dereference-recursive -P --devices
jq               | 1 | * |
sed awk          | 1 | * |
echo pwd true false which basename dirname seq sleep uname whoami tr date | all | * |
git status; git log; git diff; git show; git blame; git shortlog; git rev-parse; git rev-list; git ls-files; git ls-tree
  | 0 | * | -X --exclude-from -O
git describe; git merge-base; git name-rev; git for-each-ref; git show-ref; git cherry; git whatchanged; git diff-tree; git count-objects
  | 0 | * |
git grep         | 1 | * |
git branch; git tag | 0 | 0 | -d -D -m -M -c -C -u -f --delete --move --copy --edit-description --set-upstream-to --unset-upstream --track --force
git remote       | 0 | 0 |
git stash list; git remote get-url; git stash show | 0 | * |
`;
