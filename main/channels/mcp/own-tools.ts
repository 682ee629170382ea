import type { Tool } from "@modelcontextprotocol/server";
import type { Offer } from "./agent-port.ts";
import { COLLECT_ANSWER, REQUEST_PERMISSION } from "./answer-words.ts";

/** Asks the person for permissions that are not granted; without any on offer, to be connected at all. */
export function permissionTool(scopes: Offer["scopes"]): Tool {
  const missing = scopes.filter(({ granted }) => !granted);
  const named = missing.map(({ id, label }) => `${id} (${label})`).join(", ");
  const description =
    scopes.length === 0
      ? "Asks the person to connect this app to Consentry. Nothing else can be used before that."
      : missing.length === 0
        ? "Every permission is granted already."
        : `Asks the person for permissions that are not granted yet: ${named}. Ask only for what the task needs.`;
  return {
    name: REQUEST_PERMISSION,
    title: "Ask for permission",
    description,
    inputSchema: {
      type: "object",
      properties: {
        permissions: {
          type: "array",
          items:
            missing.length === 0
              ? { type: "string" }
              : { type: "string", enum: missing.map(({ id }) => id) },
          description: "Ids of the permissions.",
        },
      },
      ...(scopes.length === 0 ? {} : { required: ["permissions"] }),
    },
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  };
}

export const collectTool: Tool = {
  name: COLLECT_ANSWER,
  title: "Collect an answer",
  description:
    "Collects the answer to a call that was still waiting for the person or running, by its ticket.",
  inputSchema: {
    type: "object",
    properties: {
      ticket: { type: "string", description: "From the answer that was given first." },
    },
    required: ["ticket"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
};
