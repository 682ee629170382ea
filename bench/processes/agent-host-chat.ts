// One chat of ten steps, either with the AI SDK's loop alone or through the agent host over HTTP:
// `<bare|host> <the model's URL> <a folder>`.
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, jsonSchema } from "ai";
import { serve } from "../../agent-host/http/routes.ts";
import { KeyStore } from "../../agent-host/key-file.ts";
import { modelsOf } from "../../agent-host/providers.ts";
import { localSandboxes } from "../../agent-host/sandboxes/local-sandboxes.ts";
import type { HostTool } from "../../agent-host/tools/host-tool.ts";
import { CommandRunner } from "../../main/tools/command/command-runner.ts";
import { realClock } from "../../sdk/options.ts";
import { CHAT_ANSWER } from "../subjects/agent-host.ts";
import { serveTurns } from "./serve-turns.ts";

const [kind, modelUrl = "", folder = "."] = process.argv.slice(2);
const QUESTION = "Count.";
const count: HostTool = {
  name: "count",
  description: "Count one further",
  inputSchema: { type: "object", properties: { at: { type: "integer" } } },
  requiredContext: [],
  execute: async (input) => input,
};
const provider = { baseUrl: `${modelUrl}/v1`, apiKey: "none" };

async function bareChat(): Promise<() => Promise<string>> {
  const { name, description, inputSchema } = count;
  const model = createOpenAI({ baseURL: provider.baseUrl, apiKey: provider.apiKey }).chat("any");
  const execute = async (input: unknown) => input;
  const tools = {
    [name]: { description, inputSchema: jsonSchema(inputSchema as object), execute },
  };
  return async () =>
    (await generateText({ model, prompt: QUESTION, tools, stopWhen: isStepCount(30) })).text;
}

async function hostedChat(): Promise<() => Promise<string>> {
  const keys = new KeyStore(folder);
  const key = await keys.add("bench");
  const runner = new CommandRunner({ ownFolders: [folder] });
  const { url } = await serve(
    {
      findModel: modelsOf({ providers: { local: provider } }),
      tools: new Map([[count.name, count]]),
      keys,
      sandboxes: localSandboxes({ runner, scheduler: realClock }),
      requestsPerMinute: Number.MAX_SAFE_INTEGER,
    },
    { host: "127.0.0.1", port: 0 },
  );
  const body = JSON.stringify({
    model: "local/any",
    messages: [{ role: "user", content: QUESTION }],
    allowedTools: [count.name],
  });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return async () => {
    const answer = await fetch(`${url}/api/v1/chat`, { method: "POST", headers, body });
    const { data } = (await answer.json()) as {
      data: { messages: { parts: { text?: string }[] }[] };
    };
    return data.messages.at(-1)?.parts[0]?.text ?? "";
  };
}

const chat = await (kind === "bare" ? bareChat() : hostedChat());
serveTurns(async () => {
  if ((await chat()) !== CHAT_ANSWER) throw new Error("not the model's answer");
});
