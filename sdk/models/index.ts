export { adviceFor, type OutcomeCode } from "./advice.ts";
export {
  type AiSdkTool,
  aiSdkTools,
  ModelToolError,
} from "./ai-sdk.ts";
export {
  type AnthropicTool,
  type AnthropicToolResult,
  anthropicResults,
  anthropicTools,
  anthropicTurn,
} from "./anthropic-messages.ts";
export { type AnthropicBlock, type AnthropicEvent, anthropicStream } from "./anthropic-stream.ts";
export type { ModelCall } from "./model-call.ts";
export type { ModelSchema } from "./model-schema.ts";
export { type ModelTool, type ModelToolOptions, modelTools } from "./model-tool.ts";
export type { ModelTurn, TurnStream } from "./model-turn.ts";
export {
  type OpenAiChatAssistantMessage,
  type OpenAiChatTool,
  type OpenAiChatToolCall,
  openAiChatResults,
  openAiChatTools,
  openAiChatTurn,
} from "./openai-chat.ts";
export { type OpenAiChatChunk, openAiChatStream } from "./openai-chat-stream.ts";
export {
  type OpenAiResponsesTool,
  openAiResponsesResults,
  openAiResponsesTools,
  openAiResponsesTurn,
} from "./openai-responses.ts";
export { type OpenAiResponsesEvent, openAiResponsesStream } from "./openai-responses-stream.ts";
export {
  type StructuredOutput,
  StructuredOutputError,
  type StructuredOutputFault,
  structuredOutput,
} from "./structured-output.ts";
export {
  type AiSdkToolChoice,
  type AnthropicToolChoice,
  aiSdkToolChoice,
  anthropicToolChoice,
  type OfferedTool,
  type OpenAiChatToolChoice,
  type OpenAiResponsesToolChoice,
  openAiChatToolChoice,
  openAiResponsesToolChoice,
  type ToolChoice,
} from "./tool-choice.ts";
export type { ToolOutcome } from "./tool-outcome.ts";
export { type CallTool, ToolRunner, type ToolRunnerOptions } from "./tool-runner.ts";
