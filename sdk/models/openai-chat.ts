import {
  argumentsText,
  callIds,
  type Loose,
  looseList,
  looseObject,
  type ModelTurn,
  readInput,
  type TurnStream,
  textIn,
} from "./model-turn.ts";
import type { OfferedTool } from "./tool-choice.ts";
import { refuseProviderError, type ToolOutcome } from "./tool-outcome.ts";

/** A tool of OpenAI's Chat Completions API, which many other servers speak too. */
export interface OpenAiChatTool {
  type: "function";
  function: { name: string; description: string; parameters: { [key: string]: unknown } };
}

export interface OpenAiChatToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

export interface OpenAiChatAssistantMessage {
  role: "assistant";
  content: string | null;
  tool_calls?: OpenAiChatToolCall[];
}

export const openAiChatTools = (tools: readonly OfferedTool[]): OpenAiChatTool[] =>
  tools.map(({ modelName, description, inputSchema }) => ({
    type: "function",
    function: { name: modelName, description, parameters: inputSchema },
  }));

/** What is read of a response or of a chunk of one; servers leave out any part of it. */
export interface OpenAiChatResponse {
  readonly choices?: readonly unknown[] | null;
  readonly error?: unknown;
}
export type OpenAiChatChunk = OpenAiChatResponse;

/**
 * Reads the first choice of a response; other choices are alternatives, and call nothing.
 * @throws AgentError `provider_error`
 */
export function openAiChatTurn(
  response: OpenAiChatResponse,
): ModelTurn<OpenAiChatAssistantMessage> {
  refuseProviderError(response.error);
  const message = looseObject(looseList(response.choices)[0]?.message);
  const idOf = callIds();
  // Custom tools take free text; none is offered here, so the model calls none.
  const calls = looseList(message.tool_calls).flatMap(({ id, function: called }) => {
    if (called === undefined || called === null) return [];
    const { name, arguments: text } = looseObject(called);
    return [toolCall(idOf(id), textIn(name), argumentsText(text))];
  });
  return chatTurn(contentText(message.content), calls);
}

const toolCall = (id: string, name: string, text: string): OpenAiChatToolCall => ({
  id,
  type: "function",
  function: { name, arguments: text },
});

/** Null: there is none. Some servers send text in parts, between others. */
function contentText(content: unknown): string | null {
  if (!Array.isArray(content)) return typeof content === "string" ? content : null;
  return looseList(content)
    .map(({ text }) => textIn(text))
    .join("");
}

/** The turn that a text and calls make. */
function chatTurn(
  content: string | null,
  toolCalls: readonly OpenAiChatToolCall[],
): ModelTurn<OpenAiChatAssistantMessage> {
  return {
    text: content ?? "",
    calls: toolCalls.map(({ id, function: { name, arguments: text } }) => ({
      id,
      modelName: name,
      input: readInput(text),
    })),
    messages: [
      {
        role: "assistant",
        content,
        ...(toolCalls.length === 0 ? {} : { tool_calls: [...toolCalls] }),
      },
    ],
  };
}

export const openAiChatResults = (
  outcomes: readonly ToolOutcome[],
): { role: "tool"; tool_call_id: string; content: string }[] =>
  outcomes.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text }));

/** A part of a call; `id` and `name` are empty where the server left them out. */
interface Piece {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

function pieceOf({ index, id, function: called }: Loose): Piece {
  const { name, arguments: text } = looseObject(called);
  return {
    index: typeof index === "number" ? index : undefined,
    id: textIn(id),
    name: textIn(name),
    text: argumentsText(text),
  };
}

interface OpenCall extends Piece {
  name: string;
  text: string;
  /** The id that the turn has: the server's, unless it sent none or one twice. */
  readonly ownId: string;
}

/** Puts a turn of Chat Completions together from its chunks, as the servers that speak it send them. */
export function openAiChatStream(): TurnStream<OpenAiChatChunk, OpenAiChatAssistantMessage> {
  const calls: OpenCall[] = [];
  const idOf = callIds();
  let content: string | null = null;

  /** The call that a piece may belong to: by index and id, by id, or the last one. */
  const candidate = ({ index, id, name }: Piece): OpenCall | undefined => {
    const indexed = index === undefined ? undefined : calls.findLast((it) => it.index === index);
    if (indexed !== undefined && (id === "" || indexed.id === "" || indexed.id === id)) {
      return indexed;
    }
    const known = id === "" ? undefined : calls.findLast((it) => it.id === id);
    if (index === undefined) return known ?? calls.at(-1);
    return indexed === undefined && name !== "" ? undefined : (known ?? indexed);
  };
  const take = (piece: Piece): void => {
    const { id, name, text } = piece;
    if (id === "" && name === "" && text === "") return;
    const call = candidate(piece);
    if (call === undefined || !continues(call, piece)) {
      calls.push({ ...piece, ownId: idOf(id) });
      return;
    }
    if (name.startsWith(call.name)) call.name = name;
    else if (name !== call.name) call.name += name;
    call.text += text;
  };

  return {
    push(chunk) {
      refuseProviderError(chunk?.error);
      const choice = looseList(chunk?.choices).find(({ index }) => (index ?? 0) === 0);
      const delta = looseObject(choice?.delta);
      for (const piece of looseList(delta.tool_calls)) take(pieceOf(piece));
      const added = contentText(delta.content) ?? "";
      if (added !== "") content = (content ?? "") + added;
      return added;
    },
    turn: () =>
      chatTurn(
        content,
        calls
          .filter((call, at) => !isEcho(call, calls[at - 1]))
          .map(({ ownId, name, text }) => toolCall(ownId, name, text)),
      ),
  };
}

/** Whether a piece is more of this call, rather than the beginning of another. */
function continues(call: OpenCall, { index, id, name, text }: Piece): boolean {
  const isOtherId = id !== "" && call.id !== "" && id !== call.id;
  if (name === "") return !isOtherId || !isWhole(call.text);
  if (name !== call.name) return id !== "" && id === call.id && call.text === "";
  if (isWhole(call.text)) return id !== "" && id === call.id && text === "";
  // An id that changes with each chunk of a call; the first chunk of another call begins an object.
  return !isOtherId || (index !== undefined && call.text !== "" && !/^\s*\{/.test(text));
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Some servers end a call by its name once more. */
const isEcho = (call: OpenCall, before: OpenCall | undefined): boolean =>
  call.id === "" && call.text === "" && before?.name === call.name && before.text !== "";
