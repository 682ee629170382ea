import { generateText } from "ai";
import { isJsonObject, type JsonObject, ownValue } from "../../../app/contract/json.ts";
import { type HostTool, hostToolError } from "../host-tool.ts";

/** Writes a recruiter's reply to a candidate, based on what is known about a brand. */
const zhipinReplyGenerator: HostTool = {
  name: "zhipin_reply_generator",
  description:
    "Write the recruiter's reply to a message of a job candidate, from the brand's own data and reply " +
    "prompts. Use it whenever a candidate asks something. Returns the reply as text to send as it is.",
  inputSchema: {
    type: "object",
    properties: {
      candidate_message: { type: "string", description: "What the candidate wrote", minLength: 1 },
      brand: { type: "string", description: "The brand asked about; the preferred one without it" },
    },
    required: ["candidate_message"],
    additionalProperties: false,
  },
  requiredContext: ["configData", "replyPrompts"],
  async execute(input, { context, model, signal, report }) {
    const instructions = instructionsFor(context, ownValue(input, "brand"));
    report("生成中...");
    const { text } = await generateText({
      model,
      abortSignal: signal,
      instructions,
      prompt: String(input.candidate_message),
    });
    return { reply: text };
  },
};
export default zhipinReplyGenerator;

/** @throws HostToolError if the brand is not configured */
function instructionsFor(context: JsonObject, asked: unknown): string {
  const { configData, replyPrompts, preferredBrand } = context;
  const brands = objectIn(configData, "brands");
  const brand = [asked, preferredBrand, Object.keys(brands)[0]].find(
    (name) => typeof name === "string" && name !== "",
  );
  if (typeof brand !== "string" || !Object.hasOwn(brands, brand)) {
    const known = Object.keys(brands).join(", ") || "none";
    throw hostToolError("unknown_brand", {
      message: `There is no such brand. Known brands: ${known}.`,
    });
  }
  const { brands: _, ...common } = isJsonObject(configData) ? configData : {};
  return [
    "You are a recruiter who answers a candidate on BOSS Zhipin. Answer in the candidate's language, " +
      "politely and briefly, with nothing but the reply. State only what the data says; where it is " +
      "silent, say that you will find out.",
    `Brand: ${brand}`,
    `Data: ${JSON.stringify({ ...common, ...objectIn(brands, brand) })}`,
    `How to answer, by kind of question: ${JSON.stringify(replyPrompts)}`,
  ].join("\n\n");
}

function objectIn(value: unknown, key: string): JsonObject {
  const inner = isJsonObject(value) ? ownValue(value, key) : undefined;
  return inner !== undefined && isJsonObject(inner) ? inner : {};
}
