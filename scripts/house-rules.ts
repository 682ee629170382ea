/** The layers of `main/client/`, lowest first: each imports only from lower layers. */
export const CLIENT_LAYERS: readonly (readonly string[])[] = [
  ["done.ts", "program-events.ts", "time-source.ts"],
  ["agents", "notices.ts"],
  ["host-port.ts"],
  ["keys"],
  ["program-parts.ts"],
  ["calls", "hub"],
  ["conversations"],
  ["bridge"],
  ["program.ts"],
  ["launch"],
];

/**
 * Packages that only some rooms may import. All others may be used wherever packages are allowed.
 */
export const PACKAGE_ROOMS: Readonly<Record<string, readonly string[]>> = {
  electron: ["main/desktop", "preload"],
  "better-sqlite3": [
    "main/storage",
    "runtime/sqlite",
    "runtime/files/file-lock.ts",
    "hub/storage",
    "e2e/support",
    "tests/durability",
    "bench/processes/least-client.ts",
    "bench/processes/log-floor.ts",
    "bench/suites/audit-walk.ts",
  ],
  ai: ["agent-host", "bench/processes"],
  hono: ["agent-host"],
  diff: ["main/tools/files/writing", "renderer/consent"],
  "jsonc-parser": ["main/connected-apps", "main/policy"],
  yaml: ["main/connected-apps"],
  "@decimalturn/toml-patch": ["main/connected-apps"],
  "unicode-confusables": ["main/names"],
  "electron-updater": ["main/desktop/updates"],
  trash: ["main/tools/delete-file.ts"],
  "@jellybrick/dbus-next": ["main/dbus", "main/tools/platform/location/testing"],
  react: ["renderer"],
  "react-dom": ["renderer"],
  "react-markdown": ["renderer"],
  "remark-gfm": ["renderer"],
  virtua: ["renderer"],
  zustand: ["renderer"],
};

/** `app/` runs anywhere, so it may only import packages that do. */
export const APP_PACKAGES = [
  "@noble/hashes",
  "@zxcvbn-ts/core",
  "@zxcvbn-ts/language-common",
  "@zxcvbn-ts/language-de",
  "@zxcvbn-ts/language-en",
  "ajv",
  "canonicalize",
  "typebox",
];

/** Nouns that only we use where the field has one of its own: see CONTRIBUTING.md. */
export const PRIVATE_NOUNS = [
  ...["Absence", "Acquaintances", "Book", "Cabinet", "Correspondence", "Desk", "Door", "Follower"],
  ...["Keeper", "Needle", "Room", "Standing", "Strand", "Wish"],
] as const;

/** What is not as it should be yet, counted. A number only ever gets lower. */
export const AT_MOST = {
  /** Classes that extend an error; `errorKind` makes errors without one. */
  errorClasses: 3,
  /** Files that only one other in their folder uses, that have no test, and that would fit into it. */
  singleUseFiles: 53,
  /** Types and functions that bear one of the private nouns. */
  privateNouns: 0,
  /** Files of over 300 lines. */
  longFiles: 5,
} as const;
