const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Words that a shell reads itself where a program could stand: POSIX, bash, ksh and zsh. */
export const KEYWORDS = set(
  `if then else elif fi do done case esac while until for in function select time coproc repeat
  foreach end nocorrect noglob [[ ]] { } ! declare typeset local readonly export integer float let`,
);

/**
 * What a shell does itself, and which changes what comes after, runs something else, or reads its
 * arguments as an expression: bash's `test -v` and zsh's `printf %d` run commands within brackets.
 */
const BUILTINS = set(
  `. : alias autoload bg bind bindkey break builtin caller cd chdir command compgen complete compopt
  compdef continue dirs disable disown echotc echoti emulate enable eval exec exit fc fg functions getln
  getopts hash history jobs kill limit log logout mapfile popd print printf pushd pushln read readarray
  return sched set setopt shift shopt source stat suspend test times trap ttyctl type ulimit
  umask unalias unfunction unhash unlimit unset unsetopt vared wait whence where zcompile zformat zle
  zmodload zparseopts zprof zpty zregexparse zsocket zstyle ztcp [`,
);

export const changesShell = (program: string): boolean => BUILTINS.has(program);

/** No line in which it stands for a program is read. */
export const isShellWord = (word: string): boolean => KEYWORDS.has(word) || changesShell(word);
