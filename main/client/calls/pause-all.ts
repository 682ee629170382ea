import type { PauseSwitch } from "../../../app/execution/ports.ts";
import type { KeptValues } from "../../storage/settings-store.ts";

const NAME = "agents_paused";

/**
 * The person's switch that refuses every call of every agent (contract §3), also across restarts.
 * Pausing takes effect at once and is then stored; resuming takes effect once it is stored.
 */
export class PauseAll implements PauseSwitch {
  readonly #kept: KeptValues;
  readonly #changed: () => void;
  #isOn: boolean;
  /** Number of the newest change: an overtaken one has no effect. */
  #turn = 0;

  /** @param changed called when the switch has changed */
  constructor(kept: KeptValues, changed: () => void) {
    this.#kept = kept;
    this.#changed = changed;
    this.#isOn = kept.value(NAME) !== undefined;
  }

  isOn(): boolean {
    return this.#isOn;
  }

  /** Resolves once durable. */
  async set(paused: boolean): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    if (paused) {
      this.#become(true);
      await this.#kept.putValue(NAME, "yes");
      return;
    }
    await this.#kept.removeValue(NAME);
    if (turn === this.#turn) this.#become(false);
  }

  #become(isOn: boolean): void {
    if (this.#isOn === isOn) return;
    this.#isOn = isOn;
    this.#changed();
  }
}
