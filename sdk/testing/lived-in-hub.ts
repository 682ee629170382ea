import { MemoryRecords } from "../../app/encryption/testing/correspondents.ts";
import { HubRig, type RigOptions } from "../../hub/testing/hub-rig.ts";
import { HasheeAgent, type PairOptions } from "../index.ts";
import { realClock } from "../options.ts";
import { ScriptedPerson } from "./scripted-person.ts";
import { MANIFEST } from "./start-agent.ts";

/** A hub in real time, its person's client, and agents that this person adds. */
export class LivedInHub extends HubRig {
  readonly #closing: (() => unknown)[] = [];

  override start(options: RigOptions = {}): Promise<this> {
    const clocks = { clock: realClock, scheduler: realClock, monotonic: performance };
    return super.start({ ...clocks, ...options });
  }

  /** Before the hub ends, the latest first. */
  closing(close: () => unknown): void {
    this.#closing.push(close);
  }

  override async end(): Promise<void> {
    for (const close of this.#closing.splice(0).reverse()) await close();
    await super.end();
  }

  async arrived(
    decide: ConstructorParameters<typeof ScriptedPerson>[1] = () => ({
      status: "ok",
      result: null,
    }),
    answersPairings = true,
  ): Promise<ScriptedPerson> {
    const person = new ScriptedPerson(this.hub, decide, answersPairings);
    await person.arrive();
    return person;
  }

  async pair(over: Partial<PairOptions> = {}) {
    const keyStore = new MemoryRecords();
    const paired = await HasheeAgent.pair({
      name: "Reader",
      manifest: MANIFEST,
      baseUrl: this.url,
      onCode: () => {},
      keyStore,
      ...over,
    });
    this.closing(() => paired.agent.disconnect());
    return { ...paired, keyStore };
  }
}
