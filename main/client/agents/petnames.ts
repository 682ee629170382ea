import type { SettingsReader, SettingsWriter } from "../../storage/index.ts";

const keyOf = (agentId: string): string => `petname ${agentId}`;

/** The names that the person gave agents, durable like settings. */
export class Petnames {
  readonly #settings: SettingsReader & SettingsWriter;

  constructor(settings: SettingsReader & SettingsWriter) {
    this.#settings = settings;
  }

  of(agentId: string): string | null {
    return this.#settings.value(keyOf(agentId)) ?? null;
  }

  /** @throws StoreError */
  async set(agentId: string, petname: string | null): Promise<void> {
    const key = keyOf(agentId);
    await (petname === null
      ? this.#settings.removeValue(key)
      : this.#settings.putValue(key, petname.trim()));
  }
}
