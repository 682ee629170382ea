import type { RunEvent } from "../model-loop.ts";
import type { HistoryMessage } from "./chat-request.ts";

type Part = HistoryMessage["parts"][number];

/**
 * The messages of a run as they are created: one for each step that produced text or tool calls.
 */
export class History {
  readonly #messages: { readonly id: string; readonly parts: Part[] }[] = [];
  #isNew = true;

  add(event: RunEvent): void {
    switch (event.type) {
      case "step":
        this.#isNew = true;
        break;
      case "text":
        this.#say(event.delta);
        break;
      case "tool.start":
        this.#parts().push({
          type: "dynamic-tool",
          toolName: event.name,
          toolCallId: event.callId,
          state: "input-available",
          input: event.input,
        });
        break;
      case "step.end":
      case "tool.output":
        break;
      case "tool.complete":
        this.#complete(event.callId, event.output);
        break;
    }
  }

  get messages(): readonly HistoryMessage[] {
    return this.#messages.map(({ id, parts }) => ({ id, role: "assistant", parts }));
  }

  #say(delta: string): void {
    const parts = this.#parts();
    const last = parts.at(-1);
    if (last?.type === "text") last.text += delta;
    else parts.push({ type: "text", text: delta, state: "done" });
  }

  #complete(callId: string, output: unknown): void {
    for (const { parts } of this.#messages) {
      const at = parts.findIndex(
        (part) => part.type === "dynamic-tool" && part.toolCallId === callId,
      );
      const part = parts[at];
      if (part?.type === "dynamic-tool") parts[at] = { ...part, state: "output-available", output };
    }
  }

  #parts(): Part[] {
    let last = this.#messages.at(-1);
    if (this.#isNew || last === undefined) {
      this.#isNew = false;
      last = { id: `msg_${String(this.#messages.length + 1).padStart(3, "0")}`, parts: [] };
      this.#messages.push(last);
    }
    return last.parts;
  }
}
