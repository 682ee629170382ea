/** Several hubs on one database: who is connected to which of them, and how they wake each other. */
export interface Nodes {
  /** This one's. */
  readonly id: string;
  /**
   * Somebody has connected here. What is stored after this resolves, and for them, wakes this node.
   * @returns a number that grows with each connection of the subject, anywhere
   */
  enter(subjectId: string): Promise<{
    readonly ordinal: number;
    /** See `Reached`. */
    readonly revision: number;
    readonly elsewhere: readonly string[];
  }>;
  /** The last connection here has ended; a later one has a greater number. @returns as `connected` */
  leave(subjectId: string, ordinal: number): Promise<boolean>;
  /** Those of them who are connected to any node. */
  connected(subjectIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Where else these are connected; `isChange` counts that there is something new to tell them. */
  reach(subjectIds: readonly string[], isChange: boolean): Promise<readonly Reached[]>;
  /** All the others that are alive. */
  others(): Promise<readonly string[]>;
  /**
   * Says that this node is alive, and looks for those that are not.
   * @param connected to this node, who are entered again if it was taken for dead
   */
  beat(connected: readonly string[]): Promise<Beat>;
  /** Webhook conversations with something to deliver that no node attends to. */
  idleLanes(): Promise<readonly { readonly agent_id: string; readonly conversation_id: string }[]>;
  /** Wakes over the database itself. */
  wakes(): Promise<Wakes>;
}

export interface Reached {
  readonly subject_id: string;
  readonly node_id: string;
  /** Counts what a subject was told on a node: a gap means that a wake was lost. */
  readonly revision: number;
}

export interface Beat {
  readonly here: readonly {
    readonly subject_id: string;
    readonly ordinal: number;
    readonly revision: number;
    /** Of the last message for the subject. */
    readonly last_delivery: number;
  }[];
  /** Whose nodes have died. */
  readonly left: readonly string[];
}

/** What a node is told about one subject. None of it is stored, and all of it may be lost. */
export type Wake =
  /** Messages wait up to this delivery; 0: what was held back may be delivered. */
  | { readonly id: string; readonly upTo: number }
  /** Frames for its connections; with a revision if they say what is stored. */
  | { readonly id: string; readonly frames: readonly string[]; readonly revision?: number }
  /** Its connections end: all, or those before this one. */
  | {
      readonly id: string;
      readonly close: number;
      readonly before?: number;
      readonly revision?: number;
    }
  /** The hub calls this agent from now on, no longer, or elsewhere. */
  | { readonly id: string; readonly called: true };

/** How nodes wake each other. */
export interface Wakes {
  /** Each node gets one batch of them, or none. Never fails. */
  wake(nodes: readonly string[], recipients: readonly Wake[]): void;
  onWake(listener: (recipients: readonly Wake[]) => void): void;
  close(): Promise<void>;
}

/**
 * A batch as texts of at most so many ASCII characters, each with the batch's name and the piece's place in
 * it. Stream parts may be larger than what carries them takes.
 */
export function piecesOf(batch: string, recipients: readonly Wake[], most: number): string[] {
  const text = JSON.stringify(recipients).replace(
    /[^ -~]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const count = Math.ceil(text.length / most);
  return Array.from(
    { length: count },
    (_, at) => `${batch} ${at} ${count} ${text.slice(at * most, (at + 1) * most)}`,
  );
}

/** Puts pieces together again. They come in order, except that some may be missing. */
export function joinPieces(
  listener: (recipients: readonly Wake[]) => void,
): (piece: string) => void {
  let current = { batch: "", next: 0, text: "" };
  return (piece) => {
    const [, batch = "", at = "", count, text = ""] = /^(\S+) (\d+) (\d+) (.*)$/.exec(piece) ?? [];
    if (count === "1") return listener(JSON.parse(text) as readonly Wake[]);
    if (at === "0") current = { batch, next: 0, text: "" };
    if (batch !== current.batch || Number(at) !== current.next) return;
    current.text += text;
    current.next += 1;
    if (String(current.next) === count) listener(JSON.parse(current.text) as readonly Wake[]);
  };
}
