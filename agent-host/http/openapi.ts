import Type, { type TSchema } from "typebox";
import { ChatRequest, HistoryMessage } from "../chat/chat-request.ts";
import { API_ERRORS, type ApiErrorName } from "./api-error.ts";

const Usage = Type.Object({
  inputTokens: Type.Integer(),
  outputTokens: Type.Integer(),
  totalTokens: Type.Integer(),
});

const Unfinished = Type.Object({
  reason: Type.Enum(["step_limit", "timeout", "model_error", "length"]),
});

/** The response to a chat that ran. */
export const ChatAnswer = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    messages: Type.Array(HistoryMessage),
    usage: Usage,
    tools: Type.Object({
      used: Type.Array(Type.String()),
      skipped: Type.Array(Type.String()),
    }),
    /** Present only if the run ended before the model was done. */
    unfinished: Type.Optional(Unfinished),
  }),
});

/** The response to a request that was only validated. */
export const ReportAnswer = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    valid: Type.Boolean(),
    model: Type.String(),
    tools: Type.Array(
      Type.Object({
        name: Type.String(),
        ready: Type.Boolean(),
        missingContext: Type.Array(Type.String()),
      }),
    ),
  }),
});

export const ToolsAnswer = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    tools: Type.Array(
      Type.Object({
        name: Type.String(),
        description: Type.String(),
        inputSchema: Type.Object({}),
        requiredContext: Type.Array(Type.String()),
      }),
    ),
  }),
});

const SandboxAnswer = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({ sandboxId: Type.String(), expiresAt: Type.String({ format: "date-time" }) }),
});

export const ErrorAnswer = Type.Object({
  error: Type.Enum(Object.keys(API_ERRORS)),
  message: Type.String(),
  details: Type.Object({}),
  statusCode: Type.Integer(),
});

const json = (schema: TSchema): object => ({ "application/json": { schema } });

const failures = (...names: readonly ApiErrorName[]): object =>
  Object.fromEntries(
    names.map((name) => [
      String(API_ERRORS[name]),
      { description: name, content: json(ErrorAnswer) },
    ]),
  );

/** OpenAPI 3.1 of the host; its schemas are the ones that requests are checked against. */
export function openApi() {
  return {
    openapi: "3.1.0",
    info: { title: "Consentry agent host", version: "1" },
    security: [{ key: [] }],
    paths: {
      "/api/v1/chat": {
        post: {
          summary: "Run a model and its tools to the end in one request",
          requestBody: { required: true, content: json(ChatRequest) },
          responses: {
            "200": {
              description:
                "The whole history; with `stream` server-sent events; with `validateOnly` a report",
              headers: {
                "X-Tools-Skipped": {
                  description: "Tools left out for lack of context",
                  schema: { type: "string" },
                },
              },
              content: {
                ...json(Type.Union([ChatAnswer, ReportAnswer])),
                "text/event-stream": { schema: { type: "string" } },
              },
            },
            ...failures(
              "BadRequest",
              "Unauthorized",
              "NotFound",
              "PayloadTooLarge",
              "TooManyRequests",
              "InternalServerError",
              "BadGateway",
            ),
          },
        },
      },
      "/api/v1/tools": {
        get: {
          summary: "Every tool, with the context it needs",
          responses: {
            "200": { description: "The tools", content: json(ToolsAnswer) },
            ...failures("Unauthorized", "TooManyRequests"),
          },
        },
      },
      "/api/v1/sandboxes": {
        post: {
          summary: "Make a sandbox for `bash`",
          responses: {
            "201": {
              description: "Use its id as `context.sandboxId`",
              content: json(SandboxAnswer),
            },
            ...failures("Unauthorized", "TooManyRequests", "ServiceUnavailable"),
          },
        },
      },
      "/api/v1/sandboxes/{id}": {
        delete: {
          summary: "Remove a sandbox and all that is in it",
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
          responses: {
            "204": { description: "It is gone" },
            ...failures("Unauthorized", "NotFound", "TooManyRequests", "ServiceUnavailable"),
          },
        },
      },
      "/api/v1/openapi.json": {
        get: {
          summary: "This document",
          security: [],
          responses: { "200": { description: "OpenAPI 3.1", content: json(Type.Object({})) } },
        },
      },
    },
    components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
  };
}
