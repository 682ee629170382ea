import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../app/contract/json.ts";
import { AbsenceError, type AgentPort, type Offer, type Waiting } from "./agent-port.ts";
import { wordsOfAbsence, wordsOfCall } from "./answer-words.ts";
import type { CallAnswer } from "./call-answer.ts";

export const RESOURCE_TEMPLATE: ResourceTemplateType = {
  uriTemplate: "file:///{+path}",
  name: "file",
  title: "A file or folder in the folders that the person opened",
};

/** The folders that the person gave the agent; what is in them is read one by one. */
export const listedFolders = (offer: Offer | null): readonly Resource[] =>
  (offer?.folders ?? []).map((path) => ({
    uri: pathToFileURL(path).href,
    name: basename(path),
    mimeType: "inode/directory",
  }));

/** Reads a file, or lists a folder: the same calls as the tools make, asked about and logged like them. */
export async function readResource(
  port: AgentPort,
  uri: string,
  waiting: Waiting,
): Promise<ReadResourceResult> {
  const path = pathOf(uri);
  try {
    const read = await port.call("read_file", { path }, waiting);
    const isFolder = read.kind === "refused" && read.reason === "is_a_directory";
    if (isFolder) return listing(uri, await port.call("list_directory", { path }, waiting));
    const isBinary = read.kind === "refused" && read.reason === "not_text";
    const answer = isBinary
      ? await port.call("read_file", { path, encoding: "base64" }, waiting)
      : read;
    return contents(uri, resultOf(answer));
  } catch (error) {
    if (error instanceof AbsenceError) throw refused(wordsOfAbsence(error.absence).text);
    throw error;
  }
}

function pathOf(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Only file: resources can be read.");
  }
}

function listing(uri: string, answer: CallAnswer): ReadResourceResult {
  const text = JSON.stringify(resultOf(answer));
  return { contents: [{ uri, mimeType: "application/json", text }] };
}

function contents(uri: string, result: JsonObject): ReadResourceResult {
  const content = typeof result.content === "string" ? result.content : "";
  return {
    contents: [result.encoding === "base64" ? { uri, blob: content } : { uri, text: content }],
  };
}

function resultOf(answer: CallAnswer): JsonObject {
  if (answer.kind !== "ok") throw refused(wordsOfCall(answer).text);
  const result: JsonValue = answer.result;
  return isJsonObject(result) ? result : {};
}

const refused = (text: string) => new ProtocolError(ProtocolErrorCode.InternalError, text);
