import { errorKind } from "../contract/coded-error.ts";
import type { CallArgs, CallName, CallResult, CONSENT_WINDOW_CALLS } from "./calls.ts";
import type { CONSENT_WINDOW_EVENTS, EventName, Events } from "./events.ts";
import { HUB_FAULTS } from "./hub-calls.ts";

export const BRIDGE_ERRORS = [
  "unknown_call",
  "invalid_arguments",
  "foreign_sender",
  "not_found",
  "not_offered",
  "answer_unfit",
  "changed_since_shown",
  "manifest_changed",
  "manifest_refused",
  "manifest_unusable",
  "link_unusable",
  "agent_unknown",
  "already_added",
  "not_related",
  "groups_unsupported",
  "group_full",
  "too_early",
  "not_read",
  "not_held",
  "root_needed",
  "root_path_unusable",
  "root_missing",
  "root_not_folder",
  "root_refused",
  "root_elsewhere",
  "host_unusable",
  "rule_unusable",
  "rule_not_declared",
  "rule_runs_anything",
  "rule_dangerous",
  "rule_shell_word",
  "rule_special_place",
  "rule_too_wide",
  "rule_too_long",
  "program_missing",
  "file_unreadable",
  "file_unusable",
  "base_url_unusable",
  "key_needed",
  ...HUB_FAULTS,
  "hub_link_unusable",
  "overloaded",
  "store_unwritable",
  "file_unwritable",
  "config_unreadable",
  "config_too_large",
  "config_backup_blocked",
  "config_not_editable",
  "config_changed",
  "path_unusable",
  "nothing_visible",
  "already_running",
  "managed",
  "key_changed",
  "password_weak",
  "wrong_password",
  "backup_damaged",
  "backup_of_another",
  "disconnected",
  /** The connection was lost before the answer: whether it was done is not known. */
  "unanswered",
  "internal_error",
] as const;
export type BridgeErrorCode = (typeof BRIDGE_ERRORS)[number];

/** What a call is rejected with. */
export const bridgeError = errorKind<BridgeErrorCode>("BridgeError");

/** The answer to a call as a value, because a thrown object would lose its shape on the way. */
export type CallReply =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: BridgeErrorCode };

/**
 * The renderer's only access to the host; `preload/` implements it over Electron IPC, the browser
 * host's page over a WebSocket.
 */
export interface ClientBridge {
  /** @throws BridgeError (as a rejection) */
  call<C extends CallName>(name: C, args: CallArgs<C>): Promise<CallResult<C>>;
  /** Stops listening when `signal` aborts. */
  on<E extends EventName>(name: E, listener: (event: Events[E]) => void, signal: AbortSignal): void;
}

/** The consent window's access: list, answer, opened, and the system's folder picker. */
export interface ConsentBridge {
  call<C extends (typeof CONSENT_WINDOW_CALLS)[number]>(
    name: C,
    args: CallArgs<C>,
  ): Promise<CallResult<C>>;
  on<E extends (typeof CONSENT_WINDOW_EVENTS)[number]>(
    name: E,
    listener: (event: Events[E]) => void,
    signal: AbortSignal,
  ): void;
}

/**
 * What a preload can give a page through the contextBridge, which passes neither AbortSignals nor
 * error classes: replies are values, and a function ends a subscription. The page makes a
 * ClientBridge from it, as from the browser host's socket.
 */
export interface BridgePort {
  call(name: string, args: unknown): Promise<CallReply>;
  /** Returns a function that ends the subscription. */
  listen(name: string, listener: (event: unknown) => void): () => void;
}
