import { convertToModelMessages, type ModelMessage, type UIMessage } from "ai";
import type { ChatRequest } from "./chat-request.ts";

/** Messages in words, and those of an earlier answer with their tool parts. */
export async function modelMessages(messages: ChatRequest["messages"]): Promise<ModelMessage[]> {
  const converted = await Promise.all(
    messages.map((message): ModelMessage[] | Promise<ModelMessage[]> =>
      "content" in message
        ? [{ role: message.role, content: message.content }]
        : convertToModelMessages([message as UIMessage], { ignoreIncompleteToolCalls: true }),
    ),
  );
  return converted.flat();
}
