import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { atHome } from "./measured-process.ts";

const ENTRY = fileURLToPath(new URL("../processes/prompt-agent.mjs", import.meta.url));

export type Ends = Readonly<Record<string, number>>;

type Said =
  | { readonly event: "asked" | "ready" }
  | { readonly event: "flooded" | "ended"; readonly ends: Ends };

/** An agent in its own process that asks the person. */
export class PromptAgent {
  readonly #child;

  /** @param home where it stores its keys */
  constructor(hub: string, home: string) {
    const stdio = ["ignore", "inherit", "inherit", "ipc"] as const;
    this.#child = fork(ENTRY, [hub], { stdio: [...stdio], env: atHome(home) });
  }

  order(order: "ask" | "give_up"): void {
    this.#child.send({ order });
  }

  flood(count: number): void {
    this.#child.send({ order: "flood", count });
  }

  /** Resolves the next time it reports this. Call it before that can happen. */
  heard(event: Said["event"]): Promise<Ends> {
    return new Promise((resolve) => {
      const hear = (said: Said) => {
        if (said.event !== event) return;
        this.#child.off("message", hear);
        resolve("ends" in said ? said.ends : {});
      };
      this.#child.on("message", hear);
    });
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.disconnect();
    await ended;
  }
}
