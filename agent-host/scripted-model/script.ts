/** A request of any of the three APIs, read alike. */
export interface Asked {
  /** What the user said last. */
  readonly user: string;
  /** The results of the turn before, in the order they stand in the request; empty when there is none. */
  readonly results: readonly { readonly id: string; readonly text: string }[];
  readonly tools: readonly string[];
  /** As the API writes it. */
  readonly toolChoice: unknown;
}

export interface ScriptedTurn {
  readonly text?: string;
  /** `input` as text is sent as it is: a model may write anything. */
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

/** A text in the pieces it is streamed in: none ends where a word or an escape does. */
export const pieces = (text: string): string[] => text.match(/[\s\S]{1,7}/g) ?? [];
