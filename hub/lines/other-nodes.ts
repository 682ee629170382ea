import { faultOf } from "../hub-error.ts";
import type { Nodes, Wake, Wakes } from "../hub-nodes.ts";
import type { Log } from "../hub-options.ts";

/** A change that could not be told, because the database is away, waits up to so many. */
const WAITING_AT_MOST = 10_000;

/** Without a node: wherever the subject is connected. A change is stored, and must not be lost. */
type Told =
  | { readonly kind: "change" | "transient"; readonly id: string; readonly frame: string }
  | { readonly kind: "close"; readonly id: string; readonly close: number };

/** What is told to other nodes, of each turn in one batch a node, in the order in which it was said. */
export class OtherNodes {
  readonly #nodes: Nodes;
  readonly #wakes: Wakes;
  readonly #log: Log;
  #told: Told[] = [];
  #isTelling = false;
  readonly #outgoing = new Map<string, Wake[]>();

  constructor(nodes: Nodes, wakes: Wakes, log: Log) {
    this.#nodes = nodes;
    this.#wakes = wakes;
    this.#log = log;
  }

  tell(told: Told): void {
    this.#told.push(told);
    this.tellOn();
  }

  /** Tells what waits, if the last try failed. */
  tellOn(): void {
    if (this.#isTelling || this.#told.length === 0) return;
    this.#isTelling = true;
    // After what is said in this turn.
    setImmediate(() => {
      this.#tellAll()
        .catch((error: unknown) => this.#log({ code: "nodes_not_told", fault: faultOf(error) }))
        .finally(() => {
          this.#isTelling = false;
        });
    });
  }

  /** Where the recipient is, is known already. */
  wake(nodeIds: readonly string[], wake: Wake): void {
    for (const nodeId of nodeIds) {
      const batch = this.#outgoing.get(nodeId) ?? [];
      if (this.#outgoing.size === 0) setImmediate(() => this.#wakeAll());
      this.#outgoing.set(nodeId, batch);
      batch.push(wake);
    }
  }

  async wakeEverywhere(wake: Wake): Promise<void> {
    this.wake(await this.#nodes.others(), wake);
  }

  async #tellAll(): Promise<void> {
    while (this.#told.length > 0) {
      const batch = this.#told.splice(0);
      try {
        await this.#tellBatch(batch);
      } catch (error) {
        const kept = batch.filter(({ kind }) => kind !== "transient");
        this.#told = [...kept, ...this.#told].slice(-WAITING_AT_MOST);
        throw error;
      }
    }
  }

  async #tellBatch(batch: readonly Told[]): Promise<void> {
    const changes = batch.filter(({ kind }) => kind !== "transient");
    const isChange = changes.length > 0;
    const changed = new Set(changes.map(({ id }) => id));
    const others = new Set(batch.flatMap(({ id }) => (changed.has(id) ? [] : [id])));
    const reached = [
      ...(isChange ? await this.#nodes.reach([...changed], true) : []),
      ...(others.size > 0 ? await this.#nodes.reach([...others], false) : []),
    ];
    for (const { subject_id: id, node_id, revision } of reached) {
      const own = batch.filter((told) => told.id === id);
      const frames = own.flatMap((told) => (told.kind === "close" ? [] : [told.frame]));
      const counted = changed.has(id) ? { revision } : {};
      const close = own.find((told) => told.kind === "close");
      if (frames.length > 0) this.wake([node_id], { id, frames, ...counted });
      if (close !== undefined) this.wake([node_id], { id, close: close.close, ...counted });
    }
  }

  #wakeAll(): void {
    const batches = [...this.#outgoing];
    this.#outgoing.clear();
    for (const [nodeId, batch] of batches) this.#wakes.wake([nodeId], batch);
  }
}
