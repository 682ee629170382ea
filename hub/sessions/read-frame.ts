import { isJsonObject, type JsonObject, ownValue } from "../../app/contract/json.ts";
import { ClientFrame, isClientFrame } from "../../app/protocol/v1/frames.ts";
import { typesOf } from "../spec/asyncapi.ts";

const KNOWN_TYPES: ReadonlySet<string> = new Set(ClientFrame.anyOf.flatMap(typesOf));

export type ReadFrame =
  | { readonly kind: "frame"; readonly frame: ClientFrame }
  | {
      readonly kind: "fault";
      readonly code: "malformed_frame" | "unknown_frame";
      /** Lets a sender find the message that was refused. */
      readonly params: Readonly<Record<string, string>>;
    };

export function parseFrame(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function readClientFrame(text: string): ReadFrame {
  const value = parseFrame(text);
  if (value !== undefined && isClientFrame(value)) return { kind: "frame", frame: value };
  const type = value === undefined ? undefined : ownValue(value, "type");
  const isUnknown = typeof type === "string" && !KNOWN_TYPES.has(type);
  const messageId = value === undefined ? undefined : ownValue(value, "client_message_id");
  return {
    kind: "fault",
    code: isUnknown ? "unknown_frame" : "malformed_frame",
    params:
      typeof messageId === "string" && messageId.length <= 128
        ? { client_message_id: messageId }
        : {},
  };
}
