import { depthBelow, namesOf } from "../folder-path.ts";

/** What makes a path special; the card shows it next to the path. */
const PATH_MARKS = [
  "git_hook",
  "git_settings",
  "autostart",
  "shell_profile",
  "secrets",
  "ci",
  "build_script",
  "hidden",
  "executable",
  "linked",
  "outside",
] as const;
export type PathMark = (typeof PATH_MARKS)[number];

/** Names that git runs, whatever folder `core.hooksPath` names (githooks(5)). */
const HOOK_NAMES = [
  "(?:pre|post)-(?:applypatch|commit|receive)",
  "(?:applypatch|commit|prepare-commit)-msg",
  "pre-(?:merge-commit|rebase|push|auto-gc)",
  "post-(?:checkout|merge|rewrite|update|index-change)",
  "update|proc-receive|push-to-checkout|reference-transaction|sendemail-validate|fsmonitor-watchman",
].join("|");

/**
 * Places, compared with a path in the form `/name/name/`, each name as `plainName` returns it. A
 * folder counts like its contents.
 */
const PLACES: readonly (readonly [PathMark, RegExp])[] = [
  ["git_hook", /\/(?:\.git|git~\d|[^/]+\.git)\/(?:.+\/)?hooks\//],
  ["git_hook", /\/(?:\.husky|\.githooks|\.git-hooks|git-hooks|githooks|\.lefthook)\//],
  ["git_hook", new RegExp(`/hooks/(?:${HOOK_NAMES})/$`)],
  ["git_hook", /\/(?:\.pre-commit-config\.ya?ml|\.?lefthook\.ya?ml)\/$/],
  ["git_settings", /\/(?:\.git|git~\d)\/(?:.+\/)?(?:config|config\.worktree|attributes)\/$/],
  ["git_settings", /\/(?:\.gitconfig|\.gitattributes|\.gitmodules|\.config\/git)\//],
  ["autostart", /\/autostart\/|\/autostart-scripts\/|\/(?:launchagents|launchdaemons)\//],
  ["autostart", /\/systemd\/(?:user|system)\//],
  ["autostart", /\/start menu\/programs\/startup\//],
  ["autostart", /^\/(?:private\/)?(?:etc\/(?:cron|anacrontab|init|rc\.)|var\/spool\/cron)/],
  ["autostart", /\/\.(?:xprofile|xinitrc|xsession|xsessionrc|pam_environment)\//],
  ["autostart", /\/(?:environment\.d|dbus-1\/services|plasma-workspace\/env)\//],
  ["shell_profile", /\/\.(?:bash|zsh|z|ksh|mksh|csh|tcsh)(?:rc|env|profile|login|logout)\/$/],
  ["shell_profile", /\/\.(?:profile|login|logout)\/$/],
  ["shell_profile", /\/\.bash_(?:profile|login|logout|aliases|completion)\/$/],
  ["shell_profile", /\/\.(?:inputrc|envrc)\/$/],
  ["shell_profile", /\/fish\/(?:config\.fish|conf\.d|functions)\/|\/nushell\/[^/]+\.nu\/$/],
  ["shell_profile", /\/(?:[^/]*[._])?profile\.ps1\/$/],
  ["shell_profile", /^\/etc\/(?:profile|profile\.d|bash\.bashrc|bashrc|zsh|environment)\//],
  ["secrets", /\/\.(?:ssh|gnupg|aws|azure|kube|password-store)\//],
  [
    "secrets",
    /\/(?:\.|_)netrc\/$|\/\.(?:npmrc|yarnrc\.yml|pypirc|pgpass|my\.cnf|git-credentials)\/$/,
  ],
  ["secrets", /\/\.env(?:\.[^/]+)?\/$|\/id_(?:rsa|dsa|ecdsa|ed25519)[^/]*\/$/],
  ["secrets", /\/\.docker\/config\.json\/$|\/\.cargo\/credentials[^/]*\/$|\/\.gem\/credentials\/$/],
  ["secrets", /\/(?:\.config\/(?:gh|gcloud)|keyrings|keychains)\//],
  ["ci", /\/\.(?:github|gitea|forgejo)\/(?:workflows|actions)\/|\/\.(?:circleci|woodpecker)\//],
  ["ci", /\/\.(?:gitlab-ci|travis|drone|woodpecker|cirrus)\.ya?ml\/$|\/jenkinsfile\/$/],
  ["ci", /\/(?:azure-pipelines|bitbucket-pipelines|appveyor)\.ya?ml\/$/],
  ["build_script", /\/(?:package\.json|(?:gnu)?makefile|justfile|setup\.py|build\.rs)\/$/],
  ["build_script", /\/\.vscode\/(?:tasks|launch|settings)\.json\/$/],
];

/** Opening one of these runs it, on systems that decide by the extension. */
const RUNS_BY_NAME =
  /\.(?:exe|com|bat|cmd|ps1|psm1|vbs|vbe|jse|wsf|scr|msi|lnk|desktop|command|appimage)$/;

const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * A name as the most tolerant file systems compare it: case and invisible characters (HFS+) do not
 * count, nor do a stream's name and dots and spaces at the end (Windows).
 */
const plainName = (name: string): string =>
  name
    .normalize("NFKC")
    .replace(UNSEEN, "")
    .toLowerCase()
    .replace(/(?<=.):.*$/su, "")
    .replace(/(?<=[^.\s])[.\s]+$/u, "");

/**
 * The places that a path is in, the most informative first.
 * @param names its components, without the drive
 * @param below how many of the last ones are below the given folder, which the person knows
 */
export function placeMarks(names: readonly string[], below: number): readonly PathMark[] {
  const plain = names.map(plainName);
  const path = `/${plain.join("/")}/`;
  const places = new Set(PLACES.filter(([, place]) => place.test(path)).map(([mark]) => mark));
  if (places.size > 0) return [...places];
  return plain.slice(plain.length - below).some(isDotName) ? ["hidden"] : [];
}

const isDotName = (name: string): boolean => name.startsWith(".") && !/^\.+$/.test(name);

export const runsByName = (name: string): boolean => RUNS_BY_NAME.test(plainName(name));

/** The marks of a path's place. */
export function marksOfPath(path: string, folders: readonly string[]): readonly PathMark[] {
  const names = namesOf(path) ?? [];
  const below = depthBelow(path, folders);
  const places = placeMarks(names, below ?? names.length);
  // Until the first folder is given, nothing counts as outside.
  return below === null && folders.length > 0 ? [...places, "outside"] : places;
}

/** The marks of the paths in a command's arguments, as far as they can be recognized. */
export const marksOfWords = (
  argv: readonly string[],
  directory: string,
  folders: readonly string[],
): readonly PathMark[] => [
  ...(argv[0] === undefined ? [] : placeMarks(namesOf(argv[0]) ?? [], 0)),
  ...argv.slice(1).flatMap((word) => {
    const path = pathIn(word, directory);
    return path === null ? [] : marksOfPath(path, [directory, ...folders]);
  }),
];

/** The path that an argument is, or has after `=`; null where it need not be a path. */
function pathIn(word: string, directory: string): string | null {
  const value = /^--?[\w-]+=(.*)$/s.exec(word)?.[1] ?? word;
  if (/\s|:\/\//.test(value) || !/^\.|[\\/]/.test(value)) return null;
  const [root = "", from] = ABSOLUTE.exec(value) ?? ABSOLUTE.exec(directory) ?? [];
  const isAbsolute = ABSOLUTE.test(value);
  const names = isAbsolute ? [] : [...(namesOf(directory) ?? [])];
  for (const name of (isAbsolute ? value.slice(root.length) : value).split(/[\\/]/)) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return root + names.join(from === undefined ? "/" : "\\");
}

/** The beginning of a path of either system. */
const ABSOLUTE = /^(?:\/|([a-z]:)[\\/])/i;
