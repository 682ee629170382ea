import Type from "typebox";
import type { DiffHunk } from "../contract/consent-preview.ts";
import { call, closed } from "./call-shape.ts";

/** Programs that run agents, whose configuration we know how to change. */
export const APP_IDS = [
  "claude-code",
  "claude-desktop",
  "codex",
  "cursor",
  "gemini",
  "goose",
  "vscode",
  "windsurf",
  "zed",
] as const;
export type AppId = (typeof APP_IDS)[number];

/**
 * `connected`: our entry stands as we wrote it. `changed`: somebody changed it. `not_ours`: one stands in
 * its place that we did not write. `removed`: we wrote it, and it is gone. `unreadable`: the file cannot be
 * read. `too_large`: it has more bytes than we read. `not_editable`: it does not parse, or has a form that we do not change. `path_unusable`: not connected,
 * and the app could not start us by this path. `not_renewable`: the same, with an earlier entry of ours there.
 */
export type AppState =
  | "not_connected"
  | "connected"
  | "changed"
  | "not_ours"
  | "removed"
  | "unreadable"
  | "too_large"
  | "not_editable"
  | "path_unusable"
  | "not_renewable";

/** Bytes of the largest settings file that is read. */
export const CONFIG_BYTES_MAX = 8 * 1024 * 1024;

/**
 * What of Consentry an app is given: `tools`, as an MCP server; `hook`, so that the app asks before its
 * own tools run.
 */
export const APP_PARTS = ["tools", "hook"] as const;
export type AppPart = (typeof APP_PARTS)[number];

/**
 * `goes_on`: where the hook cannot start, the app's tools run all the same. `trust_first`: the app does not
 * run the hook before the person trusts it there. `newer_only`: older versions do not obey the answer.
 */
export type HookNote = "goes_on" | "trust_first" | "newer_only";

export interface AppPartView {
  /** The configuration file, whether it exists or not. */
  readonly file: string;
  readonly state: AppState;
  /** Of a file that is too large. */
  readonly bytes?: number;
}

/** An app that is installed for this person. */
export interface AppView {
  readonly app_id: AppId;
  /** The app's own name, in no language. */
  readonly name: string;
  readonly tools: AppPartView;
  /**
   * Null: this app has no hooks that can be set up for the person. Otherwise with what the person must
   * know about them.
   */
  readonly hook: (AppPartView & { readonly notes: readonly HookNote[] }) | null;
}

/** What would be written, for the person to look at first. */
export interface AppChange {
  readonly app_id: AppId;
  readonly part: AppPart;
  readonly file: string;
  /** Where the file as it is now is kept; null if there is none to keep. */
  readonly backup: string | null;
  readonly hunks: readonly DiffHunk[];
  /** Names this very change: with it, nothing else can be written. */
  readonly digest: string;
}

const place = {
  app_id: Type.Enum(APP_IDS),
  part: Type.Enum(APP_PARTS),
  connect: Type.Boolean(),
} as const;

/** The calls about other programs' configurations: a part of `CALLS`. */
export const APP_CALLS = {
  "apps.list": call<readonly AppView[]>()(Type.Object({}, closed)),
  /**
   * What connecting or, with `connect` false, taking our entry out would write.
   * @throws `not_found`, `config_unreadable`, `config_too_large`, `config_not_editable`,
   *   `config_backup_blocked`, `path_unusable`
   */
  "apps.change": call<AppChange>()(Type.Object(place, closed)),
  /**
   * Writes exactly the change that was shown.
   * @throws as `apps.change`, and `config_changed`, `file_unwritable`
   */
  "apps.apply": call<null>()(
    Type.Object(
      {
        ...place,
        digest: Type.String({ pattern: "^[0-9a-f]{64}$" }),
      },
      closed,
    ),
  ),
} as const;
