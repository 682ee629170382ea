/**
 * The rooms and what each may import besides itself, as in docs/architecture.md; the longest
 * matching name applies. Tests may import anything.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "app/contract": [],
  "app/protocol": ["app/contract"],
  "app/grants": ["app/contract"],
  "app/audit": ["app/contract"],
  "app/encryption": ["app/contract", "app/protocol"],
  "app/bridge": ["app/contract"],
  "app/updates": ["app/contract"],
  "app/policy": ["app/contract", "app/execution"],
  "app/consent": ["app/contract", "app/grants"],
  "app/execution": ["app/contract", "app/grants", "app/audit", "app/consent"],
  crypto: ["app/encryption"],
  net: [],
  main: ["app", "crypto", "net", "hub", "i18n"],
  preload: ["app/bridge"],
  renderer: ["app/bridge", "app/contract", "i18n"],
  i18n: ["app/contract"],
  sdk: ["app/contract", "app/protocol", "app/encryption", "crypto"],
  hub: ["app/contract", "app/protocol", "app/encryption", "crypto", "net"],
  "agent-host": ["app/contract", "app/execution", "crypto", "sdk", "main/tools/command"],
  // Buses and what is on them, a server of updates, the model that a program under test asks, and whether its
  // pages can draw a text.
  e2e: [
    "main/dbus/testing",
    "main/desktop/updates/testing",
    "agent-host/scripted-model",
    "renderer/text/glyphs",
  ],
  bench: ["app", "crypto", "main", "hub", "sdk", "e2e", "scripts", "agent-host"],
  scripts: ["app", "crypto", "main", "hub", "agent-host", "e2e"],
};

/** The hub's layers, lowest first, as in hub/README.md: each imports only from lower layers. */
export const HUB_LAYERS: readonly (readonly string[])[] = [
  ["refusal.ts", "hub-error.ts", "hub-options.ts", "hub-records.ts"],
  ["hub-storage.ts", "tokens", "limits", "manifest-diff", "rest"],
  ["storage", "lines", "spec"],
  ["webhooks", "conversations", "keys"],
  ["messages", "relations"],
  ["registry"],
  ["pairing"],
  ["sessions", "routes"],
  ["assemble.ts"],
  ["start-hub.ts"],
  ["index.ts", "alone"],
];

/** The same for `main/client/`. */
export const CLIENT_LAYERS: typeof HUB_LAYERS = [
  ["program-events.ts", "time-source.ts"],
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
    "crypto/file-lock.ts",
    "hub/storage",
    "e2e/support",
    "scripts/durability",
    "bench/processes/least-client.ts",
    "bench/processes/log-floor.ts",
    "bench/suites/audit-walk.ts",
  ],
  ai: ["agent-host", "bench/processes"],
  hono: ["agent-host"],
  diff: ["main/tools/files/writing", "renderer/consent"],
  "jsonc-parser": ["main/apps", "main/policy"],
  yaml: ["main/apps"],
  "@decimalturn/toml-patch": ["main/apps"],
  "unicode-confusables": ["main/names"],
  "electron-updater": ["main/desktop/updates"],
  trash: ["main/tools/files/writing"],
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
