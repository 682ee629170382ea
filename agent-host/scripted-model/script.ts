/** A request of any of the four APIs, in one format. */
export interface Asked {
  /** The user's last message. */
  readonly user: string;
  /** The results of the previous turn, in the request's order; empty if there are none. */
  readonly results: readonly { readonly id: string; readonly text: string }[];
  /** A tool in a namespace with a dot: `namespace.tool`. */
  readonly tools: readonly string[];
  /** In the API's own format. */
  readonly toolChoice: unknown;
}

/** With the key that it came with; null: none. */
export interface KeyedRequest extends Asked {
  readonly key: string | null;
}

export interface ScriptedTurn {
  readonly text?: string;
  /** `input` as a string is sent unchanged: a model may write anything. */
  readonly calls?: readonly { readonly name: string; readonly input: object | string }[];
}

export interface NumberedCall {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

let count = 0;

export const numbered = (turn: ScriptedTurn, prefix: string): NumberedCall[] =>
  (turn.calls ?? []).map(({ name, input }) => {
    count += 1;
    const text = typeof input === "string" ? input : JSON.stringify(input);
    return { id: `${prefix}${count}`, name, text };
  });

/** Splits a text as it is streamed: pieces do not end at words or escapes. */
export const pieces = (text: string): string[] => text.match(/[\s\S]{1,7}/g) ?? [];
