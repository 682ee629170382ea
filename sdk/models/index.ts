export { type AiSdkTool, aiSdkTools } from "./ai-sdk.ts";
export {
  type AnthropicBlock,
  type AnthropicEvent,
  type AnthropicTool,
  type AnthropicToolResult,
  anthropicResults,
  anthropicStream,
  anthropicTools,
  anthropicTurn,
} from "./anthropic.ts";
export {
  type ModelSchema,
  type ModelTool,
  type ModelToolOptions,
  modelTools,
} from "./model-tools.ts";
export type { ModelCall, ModelTurn, TurnStream } from "./model-turn.ts";
export {
  type OpenAiChatAssistantMessage,
  type OpenAiChatChunk,
  type OpenAiChatTool,
  type OpenAiChatToolCall,
  openAiChatResults,
  openAiChatStream,
  openAiChatTools,
  openAiChatTurn,
} from "./openai-chat.ts";
export {
  type OpenAiResponsesEvent,
  type OpenAiResponsesTool,
  openAiResponsesResults,
  openAiResponsesStream,
  openAiResponsesTools,
  openAiResponsesTurn,
} from "./openai-responses.ts";
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
  type StructuredOutput,
  structuredOutput,
  type ToolChoice,
} from "./tool-choice.ts";
export {
  adviceFor,
  type ModelErrorCode,
  type OutcomeCode,
  type ToolOutcome,
} from "./tool-outcome.ts";
export { type CallTool, ToolRunner, type ToolRunnerOptions } from "./tool-runner.ts";
