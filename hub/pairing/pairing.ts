import type { PairingRequestedFrame } from "../../app/protocol/v1/frames.ts";
import type { EncryptionLevelWord } from "../../app/protocol/v1/key-rest.ts";
import type { PairingState } from "../../app/protocol/v1/rest.ts";
import type { Scheduler } from "../hub-options.ts";
import type { ReadCard } from "../keys/key-directory.ts";
import type { CheckedManifest } from "../registry/read-checked-manifest.ts";

/** `withdrawn` and `collected` are never shown to the agent, to which the pairing is NOT_FOUND. */
export type PairingLife =
  | PairingState
  | { readonly status: "withdrawn" }
  | { readonly status: "collected" };

/** The agent's identity, and how it wants to be written to. */
export interface PairedCard extends ReadCard {
  readonly level: EncryptionLevelWord;
}

const WAITERS_AT_MOST = 4;

/** One agent's request to be added: what the person sees, its state, and who waits for it. */
export class Pairing {
  readonly shown: PairingRequestedFrame["payload"];
  readonly checked: CheckedManifest;
  readonly tokenHash: Uint8Array;
  readonly card: PairedCard | undefined;
  /** Who is asked. */
  readonly userId: string;
  state: PairingLife = { status: "waiting" };
  /** An answer is being stored, so no other counts, and the expiry has to wait. */
  isBeingAnswered = false;
  hasRunOut = false;
  readonly #scheduler: Scheduler;
  #cancelTimer: () => void = () => undefined;
  readonly #waiters = new Set<() => void>();

  constructor(
    shown: PairingRequestedFrame["payload"],
    checked: CheckedManifest,
    tokenHash: Uint8Array,
    scheduler: Scheduler,
    card: PairedCard | undefined,
    userId: string,
  ) {
    this.shown = shown;
    this.checked = checked;
    this.tokenHash = tokenHash;
    this.card = card;
    this.userId = userId;
    this.#scheduler = scheduler;
  }

  /** The pairing's one deadline; a new one replaces it. */
  schedule(ms: number, run: () => void): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#scheduler.after(ms, run);
  }

  settle(state: PairingLife): void {
    this.#cancelTimer();
    this.state = state;
    this.#wakeAll();
  }

  end(): void {
    this.#cancelTimer();
    this.#wakeAll();
  }

  /** Resolves when the state changed, `ms` have passed, or the client has gone. */
  settled(ms: number, signal: AbortSignal): Promise<void> {
    const [oldest] = this.#waiters;
    if (this.#waiters.size >= WAITERS_AT_MOST) oldest?.();
    return new Promise((resolve) => {
      const wake = (): void => {
        cancel();
        this.#waiters.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      const cancel = this.#scheduler.after(ms, wake);
      this.#waiters.add(wake);
      signal.addEventListener("abort", wake);
    });
  }

  #wakeAll(): void {
    for (const wake of [...this.#waiters]) wake();
  }
}
